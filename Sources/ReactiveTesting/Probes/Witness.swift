/// Something whose life is watched through a weak reference.
package final class Witness {
  package init() {}
}
