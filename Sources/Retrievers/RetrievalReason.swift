/// What a retriever ran its closure for.
public enum RetrievalReason: Sendable {
  /// Somebody read the property.
  case access
  /// A new subscriber asked for its first value.
  case subscription
  /// The owner of the retriever, or one of its triggers, called for an update.
  case update
}
