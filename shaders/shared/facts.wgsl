// What the samples say of a patch, as in src/passes/bounds.rs.

struct StoredFacts {
    // Heights; low above high where there is no ground.
    low: f32,
    high: f32,
    // The metres missed with a stride of 2, 4, 8, …
    errors: array<f32, 6>,
}
