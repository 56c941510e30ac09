/// What a ratio should be at most, and where `--guard` fails.
struct Band {
  let target: Double
  let end: Double

  /// A band for a time: noise on a shared machine does not trip it, and a lost specialisation, which costs a factor of
  /// 20, does.
  static func time(_ target: Double) -> Band {
    Band(target: target, end: target * 3)
  }

  /// A band for a time that ends elsewhere than at three times the target.
  static func time(_ target: Double, end: Double) -> Band {
    Band(target: target, end: end)
  }

  /// The band for what must not stay allocated: the allocator itself keeps a little.
  static let nothing = Band(target: 0, end: 1)

  /// A band for a count of bytes, which does not vary from run to run.
  static func bytes(_ target: Double) -> Band {
    Band(target: target, end: target * 1.5)
  }

  /// The bands of all rows.
  static let all: [String: Band] = [
    "retriever / access": .time(3.5),

    "fan-out / PassthroughSubject to 1": .time(5),
    "fan-out / PassthroughSubject to 10": .time(3),
    "fan-out / PassthroughSubject to 100": .time(2),
    "fan-out / PassthroughSubject to 1000": .time(3),
    "fan-out / PassthroughSubject to 10000": .time(4),
    "fan-out / CurrentValueSubject to 1": .time(5),
    "fan-out / CurrentValueSubject to 10": .time(3),
    "fan-out / CurrentValueSubject to 100": .time(2),
    "fan-out / CurrentValueSubject to 1000": .time(3),
    "fan-out / CurrentValueSubject to 10000": .time(4),
    "fan-out / Retriever to 1": .time(6),
    "fan-out / Retriever to 10": .time(5),
    "fan-out / Retriever to 100": .time(3),
    "fan-out / Retriever to 1000": .time(3),
    "fan-out / Retriever to 10000": .time(4),

    "chain / sequence, map-filter-map": .time(1),
    "chain / sequence, map-filter-map, erased at every step": .time(2),
    "chain / sequence, scan-removeDuplicates-prefix": .time(1),
    "chain / sequence, scan-removeDuplicates-prefix, erased at every step": .time(2),
    "chain / subject, map-filter-map": .time(3),
    "chain / subject, map-filter-map, erased at every step": .time(4),
    "chain / subject, scan-removeDuplicates-prefix": .time(3),

    "stages / six, map": .time(0.6),
    "stages / six, scan": .time(0.6),
    "stages / six, mixed": .time(0.6),

    "operator / map, sequence": .time(1),
    "operator / map, erased sequence": .time(1.5),
    "operator / map, subject": .time(4),
    "operator / filter, sequence": .time(1),
    "operator / filter, erased sequence": .time(1.5),
    "operator / filter, subject": .time(4),
    "operator / scan, sequence": .time(1),
    "operator / scan, erased sequence": .time(1.5),
    "operator / scan, subject": .time(4),
    "operator / reduce, sequence": .time(1),
    "operator / reduce, erased sequence": .time(1.5),
    "operator / reduce, subject": .time(4),
    "operator / collect, sequence": .time(1),
    "operator / collect, erased sequence": .time(1.5),
    "operator / collect, subject": .time(4),

    "property / sink": .time(6),
    "property / erased": .time(6),
    "property / through a subject": .time(12),
    "property / objectWillChange": .time(12),

    // Switching tasks takes most of the time on both sides.
    "async values / sequence": .time(0.5),
    "async values / erased sequence": .time(0.5),
    "async values / subject with a buffer": .time(1),

    "sources / merge of 2": .time(6),
    "sources / zip of 2": .time(20, end: 40),
    "sources / combineLatest of 2": .time(25, end: 40),
    "sources / combineLatest of 4": .time(12),
    "sources / flatMap to Just": .time(15),
    "sources / flatMap to a sequence": .time(60, end: 150),
    "sources / switchToLatest of Just": .time(25),
    "sources / switchToLatest of a sequence": .time(70, end: 170),
    "sources / share to 10": .time(3),
    "sources / merge of 1000": .time(2),
    // Linear: a source in a crowd costs what one among few does, but for the caches.
    "sources / merge of 10000": .time(1.5),
    "sources / merge of 10000, subscribe and cancel": .time(1.5),

    "hop / ImmediateScheduler": .time(20),
    "hop / a queue, one at a time": .time(40),
    "hop / a queue, 1000 at a time": .time(5),
    // Two threads take part: what else the machine does doubles these. One is a job for each value, without the hop.
    "hop / DispatchQueue, 100000 values of a subject, while the queue runs": .time(0.3, end: 1),
    "hop / DispatchQueue, 100000 values of a subject, before the queue runs": .time(0.25, end: 1),
    "hop / DispatchQueue, 100000 elements of a sequence, while the queue runs": .time(0.2, end: 1),
    "hop / DispatchQueue, 100000 elements of a sequence, before the queue runs": .time(0.2, end: 1),
    "hop / debounce of a burst": .time(8),

    "subscribe and cancel / PassthroughSubject, each at once": .time(120),
    "subscribe and cancel / CurrentValueSubject, each at once": .time(240),
    "subscribe and cancel / Retriever, each at once": .time(240),
    "subscribe and cancel / PassthroughSubject, 10000 in order": .time(180),
    "subscribe and cancel / CurrentValueSubject, 10000 in order": .time(300),
    "subscribe and cancel / Retriever, 10000 in order": .time(300),

    "churn / PassthroughSubject with 1000": .time(120),
    "churn / PassthroughSubject with 10000": .time(1.3),
    "churn / PassthroughSubject with 100000": .time(1.3),
    "churn / PassthroughSubject with 100000, scattered": .time(4),

    "memory / idle Retriever": .bytes(1),
    "memory / subscriber of a Retriever": .bytes(20),
    "memory / subscriber of a PassthroughSubject": .bytes(17),
    "memory / subscriber of a CurrentValueSubject": .bytes(17),

    "memory left by a cancelled chain / operators": .nothing,
    "memory left by a cancelled chain / share": .nothing,
    "memory left by a cancelled chain / merge": .nothing,
    "memory left by a cancelled chain / zip": .nothing,
    "memory left by a cancelled chain / combineLatest": .nothing,
    "memory left by a cancelled chain / flatMap": .nothing,
    "memory left by a cancelled chain / switchToLatest": .nothing,
    "memory left by a cancelled chain / a hop": .nothing,
  ]
}
