import AppStore
import Testing
import X509

@Suite struct AppleRootsTests {
    @Test func areTheCertificatesApplePublishes() {
        #expect(
            AppleRoots.appStore.map(\.fingerprint.description)
                == ["63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"]
        )
        #expect(
            AppleRoots.receipts.map(\.fingerprint.description)
                == ["b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"]
        )
    }

    @Test func canBeRoots() throws {
        for certificate in AppleRoots.appStore + AppleRoots.receipts {
            #expect(certificate.isSelfSigned)
            #expect(certificate.isCertificateAuthority)
            _ = try ChainValidator(roots: [certificate])
        }
        #expect(AppleRoots.appStore[0].publicKeyKind == .p384)
        #expect(AppleRoots.receipts[0].publicKeyKind == .rsa(bits: 2_048))
        #expect(AppleRoots.appStore[0].subject.contains("CN=Apple Root CA - G3"))
    }
}
