import Testing

/// The arrows between targets: who may know whom.
struct ArrowTests {
    let manifest: Manifest

    init() throws { manifest = try Manifest.current.get() }

    @Test func everyTargetHasItsFloor() {
        #expect(manifest.product.count > 10, "the manifest was not understood")
        for target in manifest.targets where target.folder.hasPrefix("Sources/") {
            #expect(Layers.floor[target.name] != nil, "\(target.name) has no floor in Layers.swift")
        }
    }

    @Test func everyFolderOfSourcesIsATarget() throws {
        let declared = Set(manifest.targets.map(\.folder))
        for folder in try Repository.folders(in: "Sources") {
            #expect(declared.contains("Sources/\(folder)"), "Sources/\(folder) belongs to no target")
        }
    }

    @Test func arrowsAreOnlyThoseOfThePlan() {
        for target in manifest.product {
            let unplanned = Set(target.dependencies).subtracting(Layers.arrows[target.name] ?? [])
            #expect(unplanned.isEmpty, "\(target.name) must not know \(unplanned.sorted().joined(separator: ", "))")
        }
    }

    @Test func everyPlannedArrowPointsToALowerFloor() throws {
        for (target, dependencies) in Layers.arrows {
            let floor = try #require(Layers.floor[target], "\(target) has no floor")
            for dependency in dependencies {
                let below = try #require(Layers.floor[dependency], "\(dependency) has no floor")
                #expect(below < floor, "\(target) -> \(dependency) does not point down")
            }
        }
    }

    @Test func everyDeclaredDependencyIsImported() throws {
        for target in manifest.product {
            let imports = try Set(Imports.all(in: target.folder).map(\.module))
            let idle = Set(target.dependencies).subtracting(imports)
            #expect(idle.isEmpty, "\(target.name) declares but never imports \(idle.sorted().joined(separator: ", "))")
        }
    }

    @Test func testsAreKnownToNoProductTarget() {
        let support = Set(manifest.targets.filter { $0.folder.hasPrefix("Tests/") }.map(\.name))
        for target in manifest.product {
            #expect(support.isDisjoint(with: target.dependencies), "\(target.name) depends on what tests use")
        }
    }
}
