import Testing

@Suite struct ExpositionPageTests {
    @Test func aPageIsRead() throws {
        let page = try ExpositionPage("# HELP a_total Help.\n# TYPE a_total counter\na_total{b=\"c\\\"\\n\\\\\"} 2\n")
        #expect(page["a_total", ["b": "c\"\n\\"]] == 2)
    }

    @Test(arguments: [
        "a 1\n", "# HELP a x\n# TYPE a counter\na 1", "# HELP a x\n# TYPE a counter\na 1\na 1\n",
        "# HELP a x\n# HELP a x\n# TYPE a counter\na 1\n", "# HELP a x\n# TYPE a timer\na 1\n",
        "# HELP a x\n# TYPE a counter\nb 1\n", "# HELP a x\n# TYPE a counter\na{b=\"\\x\"} 1\n",
        "# HELP a x\n# TYPE a counter\na{b=\"c\" 1\n", "# HELP a x\n# TYPE a counter\na -1\n",
        "# HELP a x\n# TYPE a counter\na{b=\"c\",b=\"d\"} 1\n", "# HELP a x\n# TYPE a counter\n\na 1\n",
        "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
        "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 1\n",
    ])
    func aFaultIsFound(page: String) {
        #expect(throws: ExpositionPage.Fault.self) { _ = try ExpositionPage(page) }
    }
}
