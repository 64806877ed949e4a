// What a pixel sees. `visibility_at` stands in visibility_textures.wgsl or visibility_words.wgsl, by who wrote it.

struct Seen {
    what: Visible,
    // Distance along the view, metres; meaningless where nothing is seen.
    distance: f32,
}
