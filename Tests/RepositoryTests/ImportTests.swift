import Testing

/// What files import: the compiler lets a file import what its target's dependencies depend on; here it must be declared.
struct ImportTests {
    let manifest: Manifest

    init() throws { manifest = try Manifest.current.get() }

    @Test func filesImportOnlyWhatTheirTargetDeclares() throws {
        for target in manifest.swift {
            let extra: Set<String> = target.kind == .test ? ["Testing"] : []
            let allowed = Layers.toolchain.union(target.dependencies).union(extra).union([target.name])
            for found in try Imports.all(in: target.folder) {
                #expect(
                    allowed.contains(found.module),
                    "\(found.file):\(found.line) imports \(found.module), which \(target.name) does not declare"
                )
            }
        }
    }

    @Test func onlyFourTargetsTouchC() throws {
        let libraries = Set(manifest.targets.filter { $0.kind == .systemLibrary }.map(\.name))
        #expect(libraries.count == 4)
        for target in manifest.swift where !Layers.facingC.contains(target.name) {
            for found in try Imports.all(in: target.folder) {
                #expect(!libraries.contains(found.module), "\(found.file):\(found.line) imports \(found.module)")
            }
        }
    }

    @Test func theDomainImportsNothing() throws {
        let imports = try Imports.all(in: "Sources/EntitlementDomain")
        #expect(imports.isEmpty, "\(imports.map { "\($0.file):\($0.line) imports \($0.module)" })")
    }

    @Test(arguments: [
        ("import JSON", "JSON"), ("package import JSON", "JSON"), ("@testable import JSON", "JSON"),
        ("import struct Foundation.URL", "Foundation"), ("    import FoundationNetworking", "FoundationNetworking"),
        ("let text = \"\"\"\nimport A\n\"\"\"; import B", nil), ("// import JSON", nil), ("/* import JSON */", nil),
    ])
    func importsAreRecognised(source: String, module: String?) {
        let found = Imports.imports(of: SwiftCode(source), file: "A.swift").first?.module
        #expect(found == module)
    }
}
