#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
  public import Combine
  public import Reactive

  extension Reactive.Subscribers.Demand {
    /// The same demand.
    public init(_ demand: Combine.Subscribers.Demand) {
      self = demand.max.map(Self.max) ?? .unlimited
    }
  }

  extension Combine.Subscribers.Demand {
    /// The same demand.
    public init(_ demand: Reactive.Subscribers.Demand) {
      self = demand.max.map(Self.max) ?? .unlimited
    }
  }

  extension Combine.Subscription {
    /// Requests, unless it is for nothing: some publishers of Combine trap at that.
    func forward(_ demand: Reactive.Subscribers.Demand) {
      if demand > .none { request(Combine.Subscribers.Demand(demand)) }
    }
  }

  extension Reactive.Subscribers.Completion {
    /// The same end.
    public init(_ completion: Combine.Subscribers.Completion<Failure>) {
      switch completion {
      case .finished: self = .finished
      case .failure(let error): self = .failure(error)
      }
    }
  }

  extension Combine.Subscribers.Completion {
    /// The same end.
    public init(_ completion: Reactive.Subscribers.Completion<Failure>) {
      switch completion {
      case .finished: self = .finished
      case .failure(let error): self = .failure(error)
      }
    }
  }
#endif
