//! The bracketed form of well-known text, of any keywords.

/// Deepest nesting that is followed; real texts have about eight levels.
const DEEPEST: usize = 32;

/// A keyword and what stands between its brackets.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node<'a> {
    /// The keyword in upper case.
    pub keyword: String,
    /// Texts, numbers and bare words as they stand, without quotation marks.
    pub values: Vec<&'a str>,
    pub children: Vec<Node<'a>>,
}

impl<'a> Node<'a> {
    /// Reads the nodes of a text, one after the other; `None` where brackets do not close or a keyword is missing.
    pub fn read_all(text: &'a str) -> Option<Vec<Self>> {
        let mut reader = Reader { rest: text };
        let mut nodes = vec![reader.node(0)?];
        while reader.take(',') {
            nodes.push(reader.node(0)?);
        }
        reader.skip_blanks();
        reader.rest.is_empty().then_some(nodes)
    }

    /// The first child of one of the keywords.
    pub fn child(&self, keywords: &[&str]) -> Option<&Self> {
        self.children.iter().find(|child| keywords.contains(&child.keyword.as_str()))
    }

    /// The first value, which is the name where there is one.
    pub fn name(&self) -> &'a str {
        self.values.first().copied().unwrap_or_default()
    }

    /// A value as a number.
    pub fn number(&self, index: usize) -> Option<f64> {
        self.values.get(index)?.parse().ok()
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn node(&mut self, depth: usize) -> Option<Node<'a>> {
        let keyword = self.word()?;
        self.inside(keyword, depth)
    }

    /// What follows a keyword: an opening bracket, entries between commas, a closing bracket.
    fn inside(&mut self, keyword: &str, depth: usize) -> Option<Node<'a>> {
        if depth >= DEEPEST || !(self.take('[') || self.take('(')) {
            return None;
        }
        let mut node =
            Node { keyword: keyword.to_ascii_uppercase(), values: Vec::new(), children: Vec::new() };
        loop {
            self.skip_blanks();
            if let Some(text) = self.quoted() {
                node.values.push(text);
            } else {
                let word = self.word()?;
                self.skip_blanks();
                if self.rest.starts_with(['[', '(']) {
                    node.children.push(self.inside(word, depth + 1)?);
                } else {
                    node.values.push(word);
                }
            }
            if !self.take(',') {
                return (self.take(']') || self.take(')')).then_some(node);
            }
        }
    }

    /// A text in quotation marks, which may hold doubled ones.
    fn quoted(&mut self) -> Option<&'a str> {
        let inner = self.rest.strip_prefix('"')?;
        let bytes = inner.as_bytes();
        let mut end = 0;
        loop {
            end += bytes.get(end..)?.iter().position(|byte| *byte == b'"')?;
            if bytes.get(end + 1) != Some(&b'"') {
                break;
            }
            end += 2;
        }
        self.rest = &inner[end + 1..];
        Some(&inner[..end])
    }

    fn word(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let end = self.rest.find([',', '[', ']', '(', ')', '"']).unwrap_or(self.rest.len());
        let word = self.rest[..end].trim_end();
        self.rest = &self.rest[end..];
        (!word.is_empty()).then_some(word)
    }

    fn take(&mut self, expected: char) -> bool {
        self.skip_blanks();
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_words_and_children() {
        let nodes = Node::read_all("Outer[\"a \"\"b\"\", [c]\", 1.5 , north, INNER(\"d\", -2),]");
        assert_eq!(nodes, None);
        let text = "Outer[\"a \"\"b\"\", [c]\", 1.5 , north,\n INNER(\"d\", -2)] , SECOND[\"e\"]";
        let nodes = Node::read_all(text).expect("balanced");
        assert_eq!(nodes.len(), 2);
        assert_eq!(nodes[0].values, ["a \"\"b\"\", [c]", "1.5", "north"]);
        assert_eq!((nodes[0].keyword.as_str(), nodes[0].number(1)), ("OUTER", Some(1.5)));
        let inner = nodes[0].child(&["INNER"]).expect("a child");
        assert_eq!((inner.name(), inner.number(1)), ("d", Some(-2.0)));
    }

    #[test]
    fn broken_and_bottomless_texts_are_nothing() {
        for text in ["", "A", "A[", "A[\"", "A[\"x\"", "A[\"x\"]]", "A[]", "[\"x\"]", "A[\"x\"],", "A[,]"] {
            assert_eq!(Node::read_all(text), None, "{text}");
        }
        assert_eq!(Node::read_all(&"A[".repeat(30_000)), None);
        let deep = format!("{}\"x\"{}", "A[".repeat(DEEPEST), "]".repeat(DEEPEST));
        assert!(Node::read_all(&deep).is_some());
        let deeper = format!("A[{deep}]");
        assert_eq!(Node::read_all(&deeper), None);
    }
}
