//! Initialisers (C11 6.7.9): braces, elided braces and designators become a flat list of stores at
//! offsets. The text is parsed into [`Node`]s, which are then matched with the type. Later stores
//! override earlier ones, as the standard requires.
//!
//! *Entry point:* [`Parser::initializer`].

use std::sync::Arc;

use axle_source::{Loc, TokenKind};

use super::constant::{Constant, evaluate, evaluate_wide};
use super::parser::{Parsed, Parser};
use crate::grammar::Expressions;
use crate::tree::{Expr, Init, InitItem, Kind};
use crate::types::{self, Bits, Qual, Type, TypeId};

/// Maximum number of stores in one initialiser, including repetitions by range designators.
const MOST_ITEMS: usize = 200_000;

enum Node {
    List(Vec<Item>, Loc),
    Leaf(Expr),
}

struct Item {
    designators: Vec<Designator>,
    node: Node,
    loc: Loc,
}

enum Designator {
    Field(Arc<str>, Loc),
    Index(u64, u64, Loc),
}

/// The traversal of a list: its items, the next item, and the stores so far.
struct Walk<'i, 'o> {
    items: &'i [Item],
    at: usize,
    out: &'o mut Vec<InitItem>,
    /// A designator was used: the following members may be initialised already.
    jumped: bool,
}

/// An object or subobject being initialised.
#[derive(Clone, Copy)]
struct Part {
    ty: Qual,
    offset: u64,
    bits: Option<Bits>,
}

impl Part {
    fn whole(ty: Qual, offset: u64) -> Part {
        Part { ty, offset, bits: None }
    }
}

impl Parser<'_> {
    /// The initialiser after `=`: the stores, and the type with its length completed. Objects with
    /// static storage duration require constants.
    pub(super) fn initializer(&mut self, ty: Qual, is_static: bool) -> Parsed<(Init, Qual)> {
        let node = self.deeper(Self::init_node)?;
        let (items, ty) = self.spread(&node, ty);
        if is_static {
            for item in &items {
                self.check_constant(&item.value);
            }
        }
        let zero = !self.tree.types.is_scalar(ty.ty);
        Ok((Init { zero, items }, ty))
    }

    fn check_constant(&mut self, e: &Expr) {
        if e.ty.ty == types::ERROR {
            return;
        }
        let is_record = self.tree.types.is_record(e.ty.ty);
        let literal = match &e.kind {
            Kind::Str(_) => true,
            // Only compound literals are constant records; the value of another variable is not.
            Kind::Load(inner) if is_record => match inner.kind {
                Kind::Global(id) => &*self.tree.globals[id as usize].name == "(literal)",
                _ => false,
            },
            _ => false,
        };
        let is_constant = match self.tree.types.is_wide(e.ty.ty) {
            true => evaluate_wide(self.tree, e).is_some(),
            false => evaluate(self.tree, e).is_some(),
        };
        if !literal && !is_constant {
            self.report(
                "E0726",
                "initialiser of an object with static storage duration is not constant",
                e.loc,
            );
        }
    }

    fn init_node(&mut self) -> Parsed<Node> {
        if !self.is("{") {
            let e = self.assignment()?;
            return Ok(Node::Leaf(e));
        }
        let start = self.loc();
        self.next();
        let mut items = Vec::new();
        while !self.is("}") {
            let loc = self.loc();
            let mut designators = Vec::new();
            if self.is_name() && self.word_at(1) == ":" {
                // GNU's obsolete form `name: value`.
                let Some((name, at)) = self.name() else { return self.expected("a name") };
                self.next();
                designators.push(Designator::Field(name, at));
            } else {
                while matches!(self.word(), "." | "[") {
                    let at = self.loc();
                    if self.eat(".") {
                        let Some((name, at)) = self.name() else { return self.expected("a member name") };
                        designators.push(Designator::Field(name, at));
                        continue;
                    }
                    self.next();
                    let first = self.constant_integer()?;
                    let last = if self.eat("...") { self.constant_integer()? } else { first };
                    self.expect("]")?;
                    if first < 0 || last < first {
                        self.report("E0729", "invalid range designator", at);
                        continue;
                    }
                    designators.push(Designator::Index(first as u64, last as u64, at));
                }
                if !designators.is_empty() && !self.eat("=") && !self.is("{") {
                    // GNU allows `[3] 5`.
                }
            }
            let node = self.deeper(Self::init_node)?;
            items.push(Item { designators, node, loc });
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Node::List(items, self.since(start)))
    }

    fn spread(&mut self, node: &Node, ty: Qual) -> (Vec<InitItem>, Qual) {
        let mut out = Vec::new();
        let mut length = 0;
        self.place_node(node, Part::whole(ty, 0), &mut out, &mut length);
        let mut full = ty;
        if let Type::Array(element, None) = *self.tree.types.get(ty.ty) {
            full.ty = self.tree.types.intern(Type::Array(element, Some(length)));
        }
        (out, full)
    }

    /// The stores of a compound literal of array type at file scope; sets the number of elements.
    fn literal_items(&self, id: u32, ty: TypeId, length: &mut u64) -> Option<Vec<InitItem>> {
        let global = &self.tree.globals[id as usize];
        let Type::Array(_, Some(count)) = *self.tree.types.get(ty) else { return None };
        if &*global.name != "(literal)" {
            return None;
        }
        *length = count;
        global.init.as_ref().map(|init| init.items.clone())
    }

    /// Initialises `part` with `node`.
    fn place_node(&mut self, node: &Node, part: Part, out: &mut Vec<InitItem>, length: &mut u64) {
        let Part { ty, offset, bits } = part;
        match (node, self.tree.types.get(ty.ty).clone()) {
            (Node::Leaf(e), Type::Array(element, count)) => {
                if self.place_string(e, element, count, offset, out, length) {
                    return;
                }
                // A compound literal of array type (GNU extension).
                if let (Kind::Compound(_, init), Type::Array(_, Some(n))) =
                    (&e.kind, self.tree.types.get(e.ty.ty))
                {
                    *length = *n;
                    out.extend(
                        init.items
                            .iter()
                            .map(|item| InitItem { offset: offset + item.offset, ..item.clone() }),
                    );
                    return;
                }
                if let (Kind::Global(id), true) = (&e.kind, self.body.is_none())
                    && let Some(init) = self.literal_items(*id, e.ty.ty, length)
                {
                    out.extend(
                        init.into_iter().map(|item| InitItem { offset: offset + item.offset, ..item }),
                    );
                    return;
                }
                if e.ty.ty != types::ERROR {
                    self.report(
                        "E0729",
                        "array initialiser must be a brace-enclosed list or a string literal",
                        e.loc,
                    );
                }
            }
            (Node::Leaf(e), _) => {
                let value = self.assignable(e.clone(), ty, "the initialiser");
                self.push_item(InitItem { offset, bits, value }, out);
            }
            (Node::List(items, _), Type::Array(element, count)) => {
                // char s[] = { "text" };
                if let [Item { designators, node: Node::Leaf(e), .. }] = &items[..]
                    && designators.is_empty()
                    && self.place_string(e, element, count, offset, out, length)
                {
                    return;
                }
                self.place_list(&mut Walk { items, at: 0, out, jumped: false }, part, true, length);
            }
            (Node::List(items, _), Type::Record(_)) => {
                self.place_list(&mut Walk { items, at: 0, out, jumped: false }, part, true, length);
            }
            (Node::List(items, loc), _) => match &items[..] {
                [] => {
                    if ty.ty != types::ERROR {
                        self.warn("W0704", "empty scalar initialiser, defaults to zero", *loc);
                        let zero = self.int(0, types::INT, *loc);
                        let value = self.assignable(zero, ty, "the initialiser");
                        self.push_item(InitItem { offset, bits, value }, out);
                    }
                }
                [first, rest @ ..] => {
                    if let Some(extra) = rest.first() {
                        self.warn("W0704", "excess elements in initialiser", extra.loc);
                    }
                    self.place_node(&first.node, part, out, length);
                }
            },
        }
    }

    fn push_item(&mut self, item: InitItem, out: &mut Vec<InitItem>) {
        if out.len() >= MOST_ITEMS {
            if out.len() == MOST_ITEMS {
                self.report("E0702", "initialiser too long", item.value.loc);
            }
            return;
        }
        out.push(item);
    }

    /// A string literal for an array of characters: its bytes or wider elements as one store.
    fn place_string(
        &mut self,
        e: &Expr,
        element: Qual,
        count: Option<u64>,
        offset: u64,
        out: &mut Vec<InitItem>,
        length: &mut u64,
    ) -> bool {
        let (Kind::Str(string), Type::Array(own, Some(n))) = (&e.kind, self.tree.types.get(e.ty.ty).clone())
        else {
            return false;
        };
        let size = self.tree.types.size(element.ty);
        if !self.tree.types.is_integer(element.ty) || size != self.tree.types.size(own.ty) {
            return false;
        }
        *length = n;
        let mut value = e.clone();
        if let Some(count) = count
            && count < n
        {
            if count + 1 < n {
                self.warn("W0704", "string literal longer than the array", e.loc);
            }
            let bytes = self.tree.strings[*string as usize].clone();
            let keep = (count * size.unwrap_or(1)) as usize;
            let id = self.tree.strings.len() as u32;
            self.tree.strings.push(bytes[..keep.min(bytes.len())].to_vec());
            let ty = self.tree.types.intern(Type::Array(own, Some(count)));
            value = Expr { kind: Kind::Str(id), ty: Qual::plain(ty), ..value };
        }
        self.push_item(InitItem { offset, bits: None, value }, out);
        true
    }

    /// Initialises members of an array or record. At the top of a brace all items are consumed;
    /// with elided braces only as many as the members need.
    fn place_list(&mut self, walk: &mut Walk, part: Part, top: bool, length: &mut u64) {
        let Part { ty, offset, .. } = part;
        let mut member = 0;
        let mut first = true;
        while let Some(item) = walk.items.get(walk.at) {
            if top && !item.designators.is_empty() {
                self.place_designated(walk, part, &mut member, length);
                first = false;
                continue;
            }
            if !item.designators.is_empty() && !first {
                return;
            }
            let Some((member_ty, member_offset, bits)) = self.member(ty, member) else {
                if !top {
                    return;
                }
                self.warn("W0704", "excess elements in initialiser", item.loc);
                walk.at += 1;
                continue;
            };
            self.place_member(walk, Part { ty: member_ty, offset: offset + member_offset, bits });
            member += 1;
            *length = (*length).max(member);
            first = false;
            let union = self.tree.types.record(ty.ty).is_some_and(|record| record.union);
            if union {
                if !top {
                    return;
                }
                member = u64::MAX;
            }
        }
    }

    /// Initialises one member with the next item, or with several items if its braces are elided.
    fn place_member(&mut self, walk: &mut Walk, part: Part) {
        let ty = part.ty;
        let Some(item) = walk.items.get(walk.at) else { return };
        let aggregate = matches!(self.tree.types.get(ty.ty), Type::Array(..) | Type::Record(_));
        let mut ignored = 0;
        let elided = match (&item.node, aggregate) {
            (Node::Leaf(e), true) => {
                let whole = match self.tree.types.get(ty.ty) {
                    Type::Record(_) => self.tree.types.compatible(e.ty.ty, ty.ty),
                    _ => matches!(e.kind, Kind::Str(_)) && self.is_char_array(ty),
                };
                !whole && e.ty.ty != types::ERROR
            }
            _ => false,
        };
        if elided {
            // An object without members consumes the item, as in GCC; otherwise an array of such
            // objects would not terminate.
            if self.member(ty, 0).is_none() {
                self.warn("W0704", "excess elements in initialiser", item.loc);
                walk.at += 1;
                return;
            }
            self.place_list(walk, part, false, &mut ignored);
        } else {
            if aggregate && walk.jumped {
                // An initialiser of a whole object overrides those of its parts (6.7.9p19).
                let end = part.offset + self.tree.types.size(ty.ty).unwrap_or(0);
                walk.out.retain(|item| !(part.offset..end).contains(&item.offset));
            }
            self.place_node(&item.node, part, walk.out, &mut ignored);
            walk.at += 1;
        }
    }

    fn is_char_array(&self, ty: Qual) -> bool {
        match self.tree.types.get(ty.ty) {
            Type::Array(element, _) => self.tree.types.is_integer(element.ty),
            _ => false,
        }
    }

    /// An item with designators; the traversal continues after the designated member.
    fn place_designated(&mut self, walk: &mut Walk, part: Part, member: &mut u64, length: &mut u64) {
        let mark = walk.at;
        let items = walk.items;
        walk.jumped = true;
        self.designate(walk, &items[mark].designators, part, Some(member), length);
        if walk.at == mark {
            walk.at += 1;
        }
    }

    fn designate(
        &mut self,
        walk: &mut Walk,
        path: &[Designator],
        part: Part,
        member: Option<&mut u64>,
        length: &mut u64,
    ) {
        let Part { ty, offset, .. } = part;
        let mut ignored = 0;
        match (path.first(), self.tree.types.get(ty.ty).clone()) {
            (None, _) => self.place_member(walk, Part { bits: None, ..part }),
            (Some(Designator::Index(first, last, loc)), Type::Array(element, count)) => {
                let size = self.tree.types.size(element.ty).unwrap_or(1);
                if count.is_some_and(|count| *last >= count) || *last > types::LARGEST {
                    self.report("E0729", "array index in designator out of bounds", *loc);
                    return;
                }
                if last - first > MOST_ITEMS as u64 {
                    self.report("E0702", "initialiser too long", *loc);
                    return;
                }
                let start = walk.at;
                for index in *first..=*last {
                    walk.at = start;
                    let part = Part::whole(element, offset + index * size);
                    self.designate(walk, &path[1..], part, None, &mut ignored);
                }
                *length = (*length).max(last + 1);
                if let Some(member) = member {
                    *member = last + 1;
                }
            }
            (Some(Designator::Field(name, loc)), Type::Record(which)) => {
                let fields = self.tree.types.records[which as usize].fields.clone();
                // By its own name, or in an anonymous member.
                let found = fields.iter().position(|field| match &field.name {
                    Some(own) => own == name,
                    None => self.tree.types.find_field(field.ty.ty, name).is_some(),
                });
                let Some(index) = found else {
                    let message = format!("no member named `{name}` in `{}`", self.tree.types.show(ty.ty));
                    return self.report("E0727", message, *loc);
                };
                let field = &fields[index];
                let inner = Part::whole(field.ty, offset + field.offset);
                if field.name.is_none() {
                    self.designate(walk, path, inner, None, &mut ignored);
                } else if path.len() == 1 && field.bits.is_some() {
                    if let Some(item) = walk.items.get(walk.at) {
                        let inner = Part { bits: field.bits, ..inner };
                        self.place_node(&item.node, inner, walk.out, &mut ignored);
                        walk.at += 1;
                    }
                } else {
                    self.designate(walk, &path[1..], inner, None, &mut ignored);
                }
                if let Some(member) = member {
                    let named = fields[..=index].iter().filter(|f| initialised(f)).count();
                    *member =
                        if self.tree.types.records[which as usize].union { u64::MAX } else { named as u64 };
                }
            }
            (Some(Designator::Index(_, _, loc) | Designator::Field(_, loc)), other) => {
                if other != Type::Error {
                    let message = format!("designator does not match type `{}`", self.tree.types.show(ty.ty));
                    self.report("E0729", message, *loc);
                }
            }
        }
    }

    /// The type and offset of a member by its index; unnamed bit-fields do not count.
    fn member(&self, ty: Qual, index: u64) -> Option<(Qual, u64, Option<Bits>)> {
        match self.tree.types.get(ty.ty) {
            Type::Array(element, count) => {
                let within = count.is_none_or(|count| index < count) && index < types::LARGEST;
                within.then(|| (*element, index * self.tree.types.size(element.ty).unwrap_or(1), None))
            }
            Type::Record(which) => {
                let record = &self.tree.types.records[*which as usize];
                let mut fields = record.fields.iter().filter(|field| initialised(field));
                if record.union && index > 0 {
                    return None;
                }
                let field = fields.nth(usize::try_from(index).ok()?)?;
                Some((field.ty, field.offset, field.bits))
            }
            _ => None,
        }
    }

    /// Adjacent string literals from the current token on, as one string (6.4.5p5).
    pub(super) fn string_literal(&mut self) -> Expr {
        let start = self.loc();
        let (mut width, mut unsigned) = (1, false);
        let first = self.at;
        while self.token().kind == TokenKind::String {
            let (w, u) = super::literal::prefix(&self.token().text);
            (width, unsigned) = (width.max(w), unsigned || u);
            self.next();
        }
        let mut elements: Vec<u32> = Vec::new();
        for index in first..self.at {
            let token = &self.tokens[index];
            match super::literal::characters(&token.text, width) {
                Ok(more) if width == 2 => {
                    let wide = |c: u32| char::from_u32(c).map(|c| c.encode_utf16(&mut [0; 2]).to_vec());
                    let units = |c: u32| wide(c).unwrap_or_else(|| vec![c as u16]);
                    elements.extend(more.into_iter().flat_map(units).map(u32::from));
                }
                Ok(more) => elements.extend(more),
                Err(why) => {
                    let loc = token.loc();
                    self.report("E0704", why, loc);
                }
            }
        }
        elements.push(0);
        let element = match (width, unsigned) {
            (1, _) => types::CHAR,
            (2, _) => types::USHORT,
            (_, true) => types::UINT,
            (_, false) => types::INT,
        };
        let bytes = elements.iter().flat_map(|e| e.to_le_bytes()[..width as usize].to_vec()).collect();
        let id = self.tree.strings.len() as u32;
        self.tree.strings.push(bytes);
        let ty = self.tree.types.intern(Type::Array(Qual::plain(element), Some(elements.len() as u64)));
        let loc = self.since(start);
        self.object(Kind::Str(id), Qual::plain(ty), loc)
    }

    /// Whether an initialiser is the integer constant 0 (for messages only).
    pub(super) fn is_zero(&self, e: &Expr) -> bool {
        matches!(evaluate(self.tree, e), Some(Constant::Int(0)))
    }
}

fn initialised(field: &types::Field) -> bool {
    field.name.is_some() || field.width.is_none()
}
