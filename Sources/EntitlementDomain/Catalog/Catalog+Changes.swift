extension Catalog {
    /// The ids of the products that another catalog has, lacks, or describes otherwise.
    package func productsChanged(by other: Catalog) -> Set<String> {
        Set(products.keys).union(other.products.keys).filter { self[$0] != other[$0] }
    }
}
