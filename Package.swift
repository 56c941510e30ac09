// swift-tools-version: 6.2
import PackageDescription

#if canImport(Combine)
  let combine: [Target.Dependency] = []
#else
  let combine: [Target.Dependency] = ["Combine"]
#endif

let package = Package(
  name: "Reactive",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Reactive", targets: ["Reactive"]),
    .library(name: "Retrievers", targets: ["Retrievers", "Reactive"]),
    .library(name: "ReactiveFoundation", targets: ["ReactiveFoundation", "Reactive"]),
    .library(name: "ReactiveCombine", targets: ["ReactiveCombine", "Reactive"]),
    .library(name: "ReactiveTesting", targets: ["ReactiveTesting", "Reactive"]),
  ],
  // What inlines code of Reactive names it here, though Retrievers re-exports it: a build that does not know of the
  // dependency keeps old code when Reactive changes.
  targets: [
    .target(name: "Reactive"),
    .target(name: "Retrievers", dependencies: ["Reactive"]),
    .target(name: "ReactiveFoundation", dependencies: ["Reactive"]),
    .target(name: "ReactiveCombine", dependencies: ["Reactive"]),
    .target(name: "ReactiveTesting", dependencies: ["Reactive"]),
    .executableTarget(
      name: "People", dependencies: ["Reactive", "Retrievers"], resources: [.copy("people.json")]),
    .systemLibrary(name: "Malloc", path: "Benchmarks/Malloc"),
    .executableTarget(
      name: "Benchmarks", dependencies: ["Reactive", "ReactiveFoundation", "Retrievers", "Malloc"],
      path: "Benchmarks", exclude: ["Malloc"]),
    .testTarget(name: "ReactiveTests", dependencies: ["Reactive", "ReactiveTesting"]),
    .testTarget(name: "OperatorTests", dependencies: ["Reactive", "ReactiveTesting"]),
    .testTarget(
      name: "ReactiveFoundationTests",
      dependencies: ["Reactive", "ReactiveFoundation", "ReactiveTesting", "Retrievers"]),
    // Its folder Bridge is that of ReactiveCombine, which thereby is tested with the real Combine or with a stand-in.
    .testTarget(
      name: "ReactiveCombineTests", dependencies: ["Reactive", "ReactiveTesting", "Retrievers"] + combine,
      swiftSettings: combine.isEmpty ? [] : [.define("COMBINE_STAND_IN")]),
    .testTarget(
      name: "ReactiveTestingTests",
      dependencies: ["Reactive", "ReactiveFoundation", "ReactiveTesting", "Retrievers", "SymbolGraph"]),
    .testTarget(name: "RetrieversTests", dependencies: ["Reactive", "ReactiveTesting", "Retrievers"]),
    .testTarget(
      name: "RetrieversSwift5Tests", dependencies: ["Reactive", "Retrievers"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "PeopleTests", dependencies: ["People", "Reactive", "Retrievers"]),
    .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks"]),
    .testTarget(name: "CommandLineTests", dependencies: ["People", "Benchmarks"]),
    .testTarget(
      name: "DocumentationTests", dependencies: ["Reactive", "ReactiveFoundation", "ReactiveTesting", "Retrievers"]),
    // Reads what the compiler knows of the modules, which have to be built with it.
    .target(
      name: "SymbolGraph", dependencies: ["Reactive", "ReactiveFoundation", "ReactiveTesting", "Retrievers"],
      path: "Tests/SymbolGraph"),
    .testTarget(name: "SymbolTests", dependencies: ["SymbolGraph"]),
  ],
  swiftLanguageModes: [.v6]
)

if !combine.isEmpty {
  package.targets.append(.testTarget(name: "Combine"))
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
