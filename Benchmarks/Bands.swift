/// What a ratio should be at most, and where `--guard` fails.
struct Band {
  let target: Double
  let end: Double

  /// A band for a time: noise on a shared machine does not trip it, and a lost specialisation, which costs a factor of
  /// 20, does.
  static func time(_ target: Double) -> Band {
    Band(target: target, end: target * 3)
  }

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
  ]
}
