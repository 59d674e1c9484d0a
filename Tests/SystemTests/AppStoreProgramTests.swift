import Foundation
import Glibc
import JSON
import Simulator
import Testing

extension SystemTests {
    /// The program against its own fake App Store, each a process of its own.
    @Suite struct AppStoreProgramTests {
        @Test func theDoctorFollowsANotificationAndReconcileFetchesWhatIsMissing() async throws {
            try await TemporaryFolder.use { folder in
                let service = try await DevService(in: folder)
                let path = folder.path(percentEncoded: false)
                let store = try RunningProgram([
                    "simulate", "app-store", "--port", "0", "--data", path + "/app-store", "--chain", path + "/chain",
                    "--notify", "http://127.0.0.1:\(service.client.port)/appstore/notifications",
                ])
                let line = try await store.firstLine()
                let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http") }).filter { $0 != ";" }
                let control = try ServiceClient(url: url, key: "")
                let configuration: JSONValue = [
                    "database": .string(service.database),
                    "apps": [["bundleId": "com.example.app", "appAppleId": 1_234_567_890]],
                    "trustRoots": [.string(path + "/chain/root.pem")],
                    "appStore": [
                        "issuerId": "11111111-2222-4333-8444-555555555555", "keyId": "SIMULATED1",
                        "keyFile": .string(path + "/app-store/SubscriptionKey_SIMULATED1.p8"),
                        "productionURL": .string(url + "/production"), "sandboxURL": .string(url + "/sandbox"),
                    ],
                ]
                let file = path + "/serve.json"
                try Data(configuration.serialized()).write(to: URL(filePath: file))

                let well = try await Program.run("doctor", "--config", file, "--wait", "60")
                #expect(well.status == 0, "\(well.output)\(well.errors)")
                #expect(well.output.components(separatedBy: "good  arrival").count == 3, "both environments")

                // Nobody listens there.
                _ = try await command(["do": "notify", "url": "http://127.0.0.1:1/"], control)
                let account = "22222222-2222-4222-8222-222222222222"
                let bought = try await command(
                    ["do": "buy", "product": "pro.monthly", "account": .string(account)],
                    control
                )
                #expect(bought["id"]?.stringValue != nil, "\(bought)")
                let ill = try await Program.run("doctor", "--config", file, "--environment", "Production")
                #expect(ill.status == 1)
                #expect(ill.output.contains("BAD   delivery"), "\(ill.output)")

                let reconciled = try await Program.run("reconcile", "--config", file)
                #expect(reconciled.status == 0, "\(reconciled.output)\(reconciled.errors)")
                #expect(reconciled.output.contains(" new"), "\(reconciled.output)")
                let answer = try await service.client.call(
                    "entitlements.check",
                    ["account": .string(account), "entitlement": "pro"]
                )
                #expect(answer["result"]?["active"] == true, "\(answer)")

                store.signal(SIGINT)
                #expect(await store.end() == 0)
                service.program.signal(SIGINT)
                #expect(await service.program.end() == 0)
            }
        }

        private func command(_ command: JSONObject, _ control: ServiceClient) async throws -> JSONValue {
            try await control.send("POST", "/control", body: JSONValue.object(command).serialized()).json
        }
    }
}
