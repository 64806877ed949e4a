//! A writer of small TIFFs for tests: strips, any byte order, classic or BigTIFF.

/// A tag's values.
#[derive(Debug, Clone)]
pub(in crate::formats) enum Values {
    Shorts(Vec<u16>),
    Longs(Vec<u32>),
    Doubles(Vec<f64>),
    Text(String),
}

/// A TIFF to be written.
#[derive(Debug, Clone)]
pub(in crate::formats) struct TestTiff {
    pub big_endian: bool,
    pub bigtiff: bool,
    pub tags: Vec<(u16, Values)>,
    /// Samples in the file's byte order.
    pub samples: Vec<u8>,
    /// Blocks as stored; where there are none, all samples are one block.
    pub blocks: Vec<Vec<u8>>,
    /// Directories behind this one.
    pub others: Vec<Self>,
}

impl TestTiff {
    /// One band of samples; `format` is 1 for unsigned, 2 for signed and 3 for floats.
    pub fn new([width, depth]: [u32; 2], bits: u16, format: u16) -> Self {
        let tags = vec![
            (256, Values::Longs(vec![width])),
            (257, Values::Longs(vec![depth])),
            (258, Values::Shorts(vec![bits])),
            (259, Values::Shorts(vec![1])),
            (262, Values::Shorts(vec![1])),
            (277, Values::Shorts(vec![1])),
            (278, Values::Longs(vec![depth])),
            (339, Values::Shorts(vec![format])),
        ];
        Self {
            big_endian: false,
            bigtiff: false,
            tags,
            samples: Vec::new(),
            blocks: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Little-endian float samples.
    pub fn floats(size: [u32; 2], samples: &[f32]) -> Self {
        let bytes = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        Self { samples: bytes, ..Self::new(size, 32, 3) }
    }

    /// Sets a tag, over one that is there.
    pub fn with(mut self, tag: u16, values: Values) -> Self {
        self.tags.retain(|entry| entry.0 != tag);
        self.tags.push((tag, values));
        self
    }

    /// The geotransform as a matrix, for samples that are areas.
    pub fn placed(self, g: [f64; 6]) -> Self {
        let mut matrix = vec![0.0; 16];
        (matrix[0], matrix[1], matrix[3]) = (g[1], g[2], g[0]);
        (matrix[4], matrix[5], matrix[7]) = (g[4], g[5], g[3]);
        matrix[15] = 1.0;
        self.with(34264, Values::Doubles(matrix))
    }

    /// Geo keys of one number each.
    pub fn keyed(self, keys: &[[u16; 2]]) -> Self {
        let mut directory = vec![1, 1, 0, keys.len() as u16];
        directory.extend(keys.iter().flat_map(|[key, value]| [*key, 0, 1, *value]));
        self.with(34735, Values::Shorts(directory))
    }

    /// Cuts the samples into strips of so many rows.
    pub fn in_strips(mut self, rows: u32) -> Self {
        let Some((_, Values::Longs(depth))) = self.tags.iter().find(|tag| tag.0 == 257) else { return self };
        let strip = self.samples.len() / depth[0] as usize * rows as usize;
        self.blocks = self.samples.chunks(strip).map(<[u8]>::to_vec).collect();
        self.with(278, Values::Longs(vec![rows]))
    }

    /// Compresses every block. One that comes out empty is missing.
    pub fn packed(mut self, compression: u16, pack: impl Fn(usize, &[u8]) -> Vec<u8>) -> Self {
        self.blocks = self.stored_blocks().iter().enumerate().map(|(at, block)| pack(at, block)).collect();
        self.with(259, Values::Shorts(vec![compression]))
    }

    fn stored_blocks(&self) -> Vec<Vec<u8>> {
        if self.blocks.is_empty() { vec![self.samples.clone()] } else { self.blocks.clone() }
    }

    /// Puts other directories behind this one.
    pub fn followed_by(self, others: Vec<Self>) -> Self {
        Self { others, ..self }
    }

    /// The file: header, then for each directory its samples, the values that have no room in their entry, and itself.
    pub fn bytes(&self) -> Vec<u8> {
        let mut file = if self.big_endian { b"MM".to_vec() } else { b"II".to_vec() };
        if self.bigtiff {
            file.extend([self.number(43, 2), self.number(8, 2), self.number(0, 2)].concat());
        } else {
            file.extend(self.number(42, 2));
        }
        let mut link = file.len();
        file.extend(self.number(0, self.word()));
        for tiff in std::iter::once(self).chain(&self.others) {
            let (directory, next) = tiff.append(&mut file);
            let pointer = self.number(directory as u64, self.word());
            file[link..link + pointer.len()].copy_from_slice(&pointer);
            link = next;
        }
        file
    }

    /// Appends one directory. Returns where it begins, and where the link to the next one stands.
    fn append(&self, file: &mut Vec<u8>) -> (usize, usize) {
        let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
        for block in self.stored_blocks() {
            offsets.push(if block.is_empty() { 0 } else { file.len() as u32 });
            lengths.push(block.len() as u32);
            file.extend(block);
        }
        let mut tags = vec![(273, Values::Longs(offsets)), (279, Values::Longs(lengths))];
        tags.retain(|tag| self.tags.iter().all(|own| own.0 != tag.0));
        tags.extend(self.tags.clone());
        tags.sort_by_key(|tag| tag.0);
        let mut entries = Vec::new();
        for (tag, values) in &tags {
            let (kind, count, mut stored) = self.encode(values);
            entries.extend(self.number(u64::from(*tag), 2));
            entries.extend(self.number(kind, 2));
            entries.extend(self.number(count, self.word()));
            if stored.len() > self.word() {
                let at = file.len() as u64;
                file.extend(&stored);
                stored = self.number(at, self.word());
            }
            stored.resize(self.word(), 0);
            entries.extend(stored);
        }
        let directory = file.len();
        file.extend(self.number(tags.len() as u64, if self.bigtiff { 8 } else { 2 }));
        file.extend(entries);
        let link = file.len();
        file.extend(self.number(0, self.word()));
        (directory, link)
    }

    /// Bytes of a count or an offset.
    fn word(&self) -> usize {
        if self.bigtiff { 8 } else { 4 }
    }

    fn number(&self, value: u64, bytes: usize) -> Vec<u8> {
        if self.big_endian {
            value.to_be_bytes()[8 - bytes..].to_vec()
        } else {
            value.to_le_bytes()[..bytes].to_vec()
        }
    }

    fn encode(&self, values: &Values) -> (u64, u64, Vec<u8>) {
        let all = |values: Vec<u64>, bytes| {
            values.into_iter().flat_map(|value| self.number(value, bytes)).collect()
        };
        match values {
            Values::Shorts(v) => (3, v.len() as u64, all(v.iter().map(|v| u64::from(*v)).collect(), 2)),
            Values::Longs(v) => (4, v.len() as u64, all(v.iter().map(|v| u64::from(*v)).collect(), 4)),
            Values::Doubles(v) => (12, v.len() as u64, all(v.iter().map(|v| v.to_bits()).collect(), 8)),
            Values::Text(text) => (2, text.len() as u64 + 1, [text.as_bytes(), &[0]].concat()),
        }
    }
}
