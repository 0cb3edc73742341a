//! What places in memory, values and threads are called. A place is named along its type,
//! `buffer.slots[2].next`; a heap block after the type of the pointer that `malloc`'s result goes
//! to.
//!
//! *Entry points:* [`Names::place`], [`Names::value`], [`waits`].

use axle_c::Program;
use axle_c::code::{Arg, Class, Mem, Op, Origin, Scalar, StaticKind};
use axle_c::library::{Operation, is_internal, public_name};
use axle_c::{Bits, FloatKind, IntKind, Qual, Type, TypeId, Types};

use crate::machine::{Execution, Machine};
use crate::state::object_records::ObjectRecord;
use crate::state::program_state::{Frame, Object, ObjectKind, Thread, Wait};
use crate::state::value::{Place, Value};

/// The most parts of an object that are named one by one.
const MOST_LEAVES: usize = 12;

/// The name of every object that the implementation of the library uses.
pub(crate) const OF_LIBRARY: &str = "memory of the library";

/// A scalar inside an object.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// `.next`, `[2].count`; empty for the object itself.
    pub path: String,
    pub offset: u64,
    pub ty: TypeId,
    pub bits: Option<Bits>,
    /// The length in bytes of an array of `char`, which is shown as a string.
    pub text: Option<u64>,
}

/// Gives names, in one state.
#[derive(Clone, Copy)]
pub struct Names<'m, 'p, E: Execution> {
    pub machine: &'m Machine<'p, E>,
    /// What threads are called, by their place in the state; "thread 1" and so on without names.
    pub threads: Option<&'m [(u32, String)]>,
    /// The history of dynamic objects, by their place; empty where it is not recorded.
    pub records: &'m [ObjectRecord],
}

impl<E: Execution> Names<'_, '_, E> {
    /// What a thread is called.
    pub fn thread(&self, t: usize) -> String {
        match self.threads.and_then(|names| names.get(t)) {
            Some((_, name)) => name.clone(),
            None => format!("thread {t}"),
        }
    }

    /// Whether an object belongs to the implementation of the library, so that its name says nothing to
    /// users.
    pub fn is_of_library(&self, object: u32) -> bool {
        let Machine { program, state, .. } = self.machine;
        if let Some(fixed) = program.statics.get((object as usize).wrapping_sub(1)) {
            return fixed.origin == Origin::Internal;
        }
        let of_thread = |thread: &Thread| {
            let in_frame = |frame: &Frame| {
                let code = &program.codes[frame.code as usize];
                let mut slots = code.slots.iter().zip(&thread.slots[frame.slots as usize..]);
                slots.any(|(slot, own)| *own == object && (code.internal || slot.internal))
            };
            let mut storage = thread.storage.iter().zip(&program.thread_variables);
            storage.any(|(own, variable)| *own == object && is_internal(&variable.name))
                || thread.frames.iter().any(in_frame)
        };
        let is_heap = |found: &&Object| matches!(found.kind, ObjectKind::Heap | ObjectKind::Freed);
        let block = self.machine.object(object).filter(is_heap);
        let site = block.map(|found| self.record(object).map_or(found.site, |record| record.site));
        let ty = site.and_then(|site| heap_type(program, site));
        ty.is_some_and(|ty| program.types.is_internal(ty.ty)) || state.threads.iter().any(of_thread)
    }

    /// An object's name and, where it is known, its type.
    pub fn object(&self, object: u32) -> (String, Option<Qual>) {
        let machine = self.machine;
        if self.is_of_library(object) {
            return (OF_LIBRARY.into(), None);
        }
        if let Some(fixed) = machine.program.statics.get((object as usize).wrapping_sub(1)) {
            return match fixed.kind {
                StaticKind::Text(_) => ("a string".into(), None),
                StaticKind::Function(_) | StaticKind::Variable(_) => (fixed.name.to_string(), Some(fixed.ty)),
            };
        }
        for (number, thread) in machine.state.threads.iter().enumerate() {
            if thread.object == object {
                return (self.thread(number), None);
            }
            for frame in &thread.frames {
                let code = &machine.program.codes[frame.code as usize];
                for (index, slot) in code.slots.iter().enumerate() {
                    if thread.slots[frame.slots as usize + index] == object {
                        return (format!("{}::{}", code.name, slot.name), Some(slot.ty));
                    }
                }
            }
            if let Some(index) = thread.storage.iter().position(|&own| own == object) {
                let variable = &machine.program.thread_variables[index];
                return (format!("{}:{}", self.thread(number), variable.name), Some(variable.ty));
            }
        }
        match machine.object(object) {
            Some(found) => match found.kind {
                ObjectKind::Heap | ObjectKind::Freed => {
                    let record = self.record(object);
                    let ty = heap_type(machine.program, record.map_or(found.site, |record| record.site));
                    let shown = ty.map(|ty| machine.program.types.show(ty.ty));
                    match (record, shown) {
                        (Some(record), shown) => {
                            (format!("{} #{}", shown.unwrap_or_else(|| "malloc".into()), record.number), ty)
                        }
                        (None, Some(shown)) => (format!("new {shown}"), ty),
                        (None, None) => ("memory from malloc".into(), ty),
                    }
                }
                ObjectKind::Stack | ObjectKind::DeadStack => {
                    (self.recorded_name(object).unwrap_or_else(|| "a local variable".into()), None)
                }
                ObjectKind::Thread | ObjectKind::GoneThread => {
                    (self.recorded_name(object).unwrap_or_else(|| "a thread that has ended".into()), None)
                }
            },
            None => ("nothing".into(), None),
        }
    }

    /// The history of a dynamic object.
    pub fn record(&self, object: u32) -> Option<&ObjectRecord> {
        self.records.get((object as usize).checked_sub(self.machine.program.statics.len() + 1)?)
    }

    fn recorded_name(&self, object: u32) -> Option<String> {
        self.record(object).map(|record| record.name.clone()).filter(|name| !name.is_empty())
    }

    /// The part of an object that covers a range of its bytes. A heap block larger than its type is
    /// an array.
    fn part(&self, object: u32, ty: TypeId, at: u64, size: u64) -> Option<Leaf> {
        let types = &self.machine.program.types;
        let Some((each, _)) = self.block_array(object, ty) else { return covering(types, ty, at, size) };
        if at == 0 && (size == 0 || size > each) {
            return Some(Leaf { path: String::new(), offset: 0, ty, bits: None, text: None });
        }
        let inner = covering(types, ty, at % each, size)?;
        Some(Leaf { path: format!("[{}]{}", at / each, inner.path), ..inner })
    }

    /// The size of an element and of the whole, if the object is a heap block for several objects
    /// of the type.
    fn block_array(&self, object: u32, ty: TypeId) -> Option<(u64, u64)> {
        let each = self.machine.program.types.size(ty).filter(|&each| each > 0)?;
        let is_heap = |found: &&Object| matches!(found.kind, ObjectKind::Heap | ObjectKind::Freed);
        let found = self.machine.object(object).filter(is_heap)?;
        let extent = self.record(object).map_or(found.size, |record| record.size).into();
        (extent >= 2 * each).then_some((each, extent))
    }

    /// The string at a place, quoted; at most `length` bytes of it are read. None if no byte is
    /// defined.
    pub fn text(&self, (object, offset): Place, length: u64) -> Option<String> {
        const MOST: usize = 40;
        let mut machine = self.machine.silent_copy();
        let byte = Mem::atomic(Scalar { size: 1, class: Class::Unsigned });
        let (mut bytes, mut ends) = (Vec::new(), false);
        for at in 0..length.min(MOST as u64) {
            match machine.load((object, offset.checked_add(at as i32)?), byte) {
                Ok(Value::Int(0)) => {
                    ends = true;
                    break;
                }
                Ok(Value::Int(value)) => bytes.push(value as u8),
                _ => break,
            }
        }
        ends |= bytes.len() as u64 == length;
        let shown = format!("{:?}{}", String::from_utf8_lossy(&bytes), if ends { "" } else { "..." });
        (ends || !bytes.is_empty()).then_some(shown)
    }

    /// The path from an object to the part that covers a range of its bytes: `.name[2]`.
    pub fn path(&self, place: Place, size: u32) -> Option<String> {
        let (_, ty) = self.object(place.0);
        let at = u64::try_from(place.1).ok()?;
        self.part(place.0, ty?.ty, at, size.into()).map(|leaf| leaf.path)
    }

    /// What `size` bytes at a place are called; with no size, the largest part that begins there.
    pub fn place(&self, place: Place, size: u32) -> String {
        let (name, ty) = self.object(place.0);
        let at = u64::try_from(place.1).ok();
        if let (Some(ty), Some(at)) = (ty, at)
            && let Some(leaf) = self.part(place.0, ty.ty, at, size.into())
        {
            return joined(&name, &leaf.path);
        }
        if place.1 == 0 { name } else { format!("{name} at byte {}", place.1) }
    }

    /// The scalars in a range of an object, by name; nothing where its type is not known or it has
    /// too many.
    pub fn leaves(&self, place: Place, size: u32) -> Option<(String, Vec<Leaf>)> {
        let (name, ty) = self.object(place.0);
        let (from, types) = (u64::try_from(place.1).ok()?, &self.machine.program.types);
        let (ty, range) = (ty?.ty, (from, from + u64::from(size)));
        let mut leaves = Vec::new();
        match self.block_array(place.0, ty) {
            Some((_, extent)) if size > 1 && is_char(types, ty) => {
                leaves.push(Leaf { path: String::new(), offset: 0, ty, bits: None, text: Some(extent) });
            }
            Some((each, extent)) => fold_array(types, (ty, each, extent), "", 0, range, &mut leaves),
            None => fold(types, ty, "", 0, range, &mut leaves),
        }
        (!leaves.is_empty() && leaves.len() <= MOST_LEAVES).then_some((name, leaves))
    }

    /// The first scalars of an object, and whether there are more.
    pub fn first_leaves(&self, object: u32, size: u32) -> (String, Vec<Leaf>, bool) {
        let (name, ty) = self.object(object);
        let mut leaves = Vec::new();
        if let Some(ty) = ty {
            fold(&self.machine.program.types, ty.ty, "", 0, (0, size.into()), &mut leaves);
        }
        let more = leaves.len() > MOST_LEAVES;
        leaves.truncate(MOST_LEAVES);
        (name, leaves, more)
    }

    /// A value as people write it.
    pub fn value(&self, value: Value, ty: Option<TypeId>) -> String {
        let types = &self.machine.program.types;
        if let (Value::Int(bits), Some(ty)) = (value, ty)
            && matches!(types.get(ty), Type::Enum(_))
        {
            return enumerated(types, ty, bits);
        }
        match (value, ty.map(|ty| types.get(ty))) {
            (Value::Undef, _) => "undefined".into(),
            (Value::Ptr(object, offset), _) => {
                let code = self.machine.program.statics.get((object as usize).wrapping_sub(1));
                match code.map(|fixed| &fixed.kind) {
                    Some(StaticKind::Function(_)) => self.object(object).0,
                    Some(StaticKind::Text(text)) => {
                        let rest = text.get(offset.max(0) as usize..).unwrap_or_default();
                        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
                        format!("{:?}", String::from_utf8_lossy(&rest[..end.min(40)]))
                    }
                    _ => match self.machine.object(object).map(|object| object.kind) {
                        Some(ObjectKind::Thread | ObjectKind::GoneThread) => self.object(object).0,
                        _ => {
                            let name = self.place((object, offset), 0);
                            let text = ty
                                .and_then(|ty| types.pointee(ty))
                                .filter(|to| is_char(types, to.ty))
                                .and_then(|_| self.text((object, offset), u64::MAX));
                            text.map_or_else(|| format!("&{name}"), |text| format!("&{name} {text}"))
                        }
                    },
                }
            }
            (Value::Int(0), Some(Type::Pointer(_))) => "null".into(),
            (Value::Int(bits), Some(Type::Pointer(_))) => format!("{bits:#x}"),
            (Value::Int(bits), Some(Type::Bool)) => (bits != 0).to_string(),
            (Value::Int(bits), Some(Type::Float(FloatKind::Float))) => {
                f32::from_bits(bits as u32).to_string()
            }
            (Value::Int(bits), Some(Type::Float(_))) => f64::from_bits(bits).to_string(),
            (Value::Int(bits @ 0x20..=0x7e), _) if ty.is_some_and(|ty| is_char(types, ty)) => {
                format!("{bits} {:?}", bits as u8 as char)
            }
            (Value::Int(bits), _) if ty.is_none_or(|ty| types.is_signed(ty)) => (bits as i64).to_string(),
            (Value::Int(bits), _) => bits.to_string(),
        }
    }
}

/// A value of an enumerated type: its constant. Where several have the value, or none, it is the
/// number.
fn enumerated(types: &Types, ty: TypeId, bits: u64) -> String {
    let value = if types.is_signed(ty) { i128::from(bits as i64) } else { i128::from(bits) };
    match types.constants_of(ty, value)[..] {
        [name] => name.to_string(),
        _ => value.to_string(),
    }
}

/// A name with the path of a part; a path into what a pointer leads to reads as in C.
pub fn joined(name: &str, path: &str) -> String {
    match path.is_empty() {
        true => name.to_string(),
        false if name.contains(' ') => format!("({name}){path}"),
        false => format!("{name}{path}"),
    }
}

/// How a scalar type computes; none for what is no scalar.
pub fn scalar_of(types: &Types, ty: TypeId) -> Option<Scalar> {
    let class = match types.get(ty) {
        Type::Bool => Class::Bool,
        Type::Pointer(_) => Class::Pointer,
        Type::Float(_) => Class::Float,
        Type::Int(_) | Type::Enum(_) if types.is_signed(ty) => Class::Signed,
        Type::Int(_) | Type::Enum(_) => Class::Unsigned,
        Type::Error | Type::Void | Type::Array(..) | Type::Long(..) | Type::Function(_) | Type::Record(_) => {
            return None;
        }
    };
    let size = types.size(ty).filter(|&size| size <= 8)?;
    Some(Scalar { size: size as u8, class })
}

/// The smallest part that covers a range: the path to it.
fn covering(types: &Types, ty: TypeId, at: u64, size: u64) -> Option<Leaf> {
    let own = types.size(ty)?;
    let whole = |path: String| Some(Leaf { path, offset: at, ty, bits: None, text: None });
    match types.get(ty) {
        Type::Array(element, _) => {
            let each = types.size(element.ty).filter(|&each| each > 0)?;
            if size > each || at % each + size > each || (at == 0 && size == 0) {
                return (at == 0).then(|| whole(String::new())).flatten();
            }
            let inner = covering(types, element.ty, at % each, size)?;
            Some(Leaf { path: format!("[{}]{}", at / each, inner.path), ..inner })
        }
        Type::Record(which) => {
            let fields = &types.records[*which as usize].fields;
            // The members of locks are not shown.
            let opaque = fields
                .first()
                .and_then(|field| field.name.as_ref())
                .is_some_and(|name| name.starts_with("__"));
            let only = size == own && fields.len() == 1;
            if at == 0 && (size == 0 || (size >= own && !only) || opaque) {
                return whole(String::new());
            }
            let within = |field: &&axle_c::Field| {
                let length = types.size(field.ty.ty).unwrap_or(0);
                field.offset <= at && at + size <= field.offset + length.max(1)
            };
            let field = fields.iter().find(within)?;
            let inner = covering(types, field.ty.ty, at - field.offset, size)?;
            let name = field.name.as_ref().map_or_else(String::new, |name| format!(".{name}"));
            Some(Leaf { path: format!("{name}{}", inner.path), ..inner })
        }
        _ => (at + size <= own.max(1)).then(|| whole(String::new())).flatten(),
    }
}

/// All scalars that lie in a range.
fn fold(types: &Types, ty: TypeId, path: &str, base: u64, range: (u64, u64), out: &mut Vec<Leaf>) {
    let Some(own) = types.size(ty) else { return };
    if out.len() > MOST_LEAVES || base >= range.1 || base + own.max(1) <= range.0 {
        return;
    }
    match types.get(ty) {
        Type::Array(element, _) => {
            let each = types.size(element.ty).unwrap_or(0).max(1);
            let part = (base.max(range.0), range.1.min(base + own));
            if is_char(types, element.ty) && part.1 - part.0 > 1 {
                let path = path.to_string();
                out.push(Leaf { path, offset: base, ty: element.ty, bits: None, text: Some(own) });
                return;
            }
            fold_array(types, (element.ty, each, own), path, base, range, out);
        }
        Type::Record(which) => {
            let record = &types.records[*which as usize];
            for field in &record.fields {
                let name = field.name.as_ref().map_or_else(String::new, |name| format!(".{name}"));
                let path = format!("{path}{name}");
                match field.bits {
                    Some(bits) if field.name.is_some() => {
                        let offset = base + field.offset;
                        if offset < range.1 && offset >= range.0 {
                            out.push(Leaf { path, offset, ty: field.ty.ty, bits: Some(bits), text: None });
                        }
                    }
                    Some(_) => {}
                    None => fold(types, field.ty.ty, &path, base + field.offset, range, out),
                }
                if record.union {
                    break;
                }
            }
        }
        _ => out.push(Leaf { path: path.to_string(), offset: base, ty, bits: None, text: None }),
    }
}

/// The scalars in a range of an array, which is given by the type and the size of an element and
/// the size of the whole.
fn fold_array(
    types: &Types,
    (element, each, whole): (TypeId, u64, u64),
    path: &str,
    base: u64,
    range: (u64, u64),
    out: &mut Vec<Leaf>,
) {
    let first = range.0.saturating_sub(base) / each;
    let last = (range.1 - base).div_ceil(each).min(whole / each);
    for index in first..last.min(first + MOST_LEAVES as u64 + 1) {
        fold(types, element, &format!("{path}[{index}]"), base + index * each, range, out);
    }
}

/// Whether a type is `char`, arrays of which are shown as strings.
fn is_char(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Int(IntKind::Char))
}

/// The type of a heap block: that to which the result of the allocation points where it is stored,
/// passed or returned.
pub fn heap_type(program: &Program, site: u32) -> Option<Qual> {
    let code = program.codes.get((site >> 20) as usize)?;
    let at = (site & 0xf_ffff) as usize;
    let Op::Lib { dst, .. } = code.ops.get(at)? else { return None };
    let mut value = *dst;
    for op in code.ops.iter().skip(at + 1).take(4) {
        let target = match op {
            Op::Move { dst, src: Arg::Reg(src) } if *src == value => {
                value = *dst;
                code.names.iter().find(|(_, _, reg)| reg == dst).map(|(_, ty, _)| ty.ty)
            }
            Op::Convert { dst, a: Arg::Reg(src), .. } if *src == value => {
                value = *dst;
                None
            }
            Op::Store { addr: Arg::Static(object, offset), value: Arg::Reg(src), .. } if *src == value => {
                let fixed = program.statics.get((*object as usize).wrapping_sub(1))?;
                let at = u64::try_from(*offset).ok()?;
                covering(&program.types, fixed.ty.ty, at, program.types.pointer_size()).map(|leaf| leaf.ty)
            }
            Op::Call { callee: Arg::Static(function, 0), args, .. } => {
                let index = args.iter().position(|arg| *arg == Arg::Reg(value));
                let fixed = program.statics.get((*function as usize).wrapping_sub(1))?;
                match program.types.get(fixed.ty.ty) {
                    Type::Function(function) => Some(function.params.get(index?)?.ty),
                    _ => None,
                }
            }
            Op::Return { value: Some(Arg::Reg(src)) } if *src == value => {
                let fixed = program.statics.iter().find(|fixed| fixed.name == code.name)?;
                match program.types.get(fixed.ty.ty) {
                    Type::Function(function) => Some(function.ret.ty),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(pointee) = target.and_then(|ty| program.types.pointee(ty)) {
            return program.types.size(pointee.ty).filter(|&size| size > 0).map(|_| pointee);
        }
    }
    None
}

/// What a place is called.
pub fn place_name<E: Execution>(machine: &Machine<'_, E>, object: u32, offset: i32, size: u32) -> String {
    format!("`{}`", Names { machine, threads: None, records: &[] }.place((object, offset), size))
}

/// What each blocked thread waits for, in one sentence.
pub fn waits<E: Execution>(machine: &Machine<'_, E>) -> String {
    let told = waiting(&Names { machine, threads: None, records: &[] });
    let phrase = |(t, what): &(usize, String)| {
        let step = machine.stand(*t);
        let (code, _) = machine.user_step(*t, step).unwrap_or(step);
        format!("thread {t} (in `{}`) {what}", public_name(&machine.program.codes[code as usize].name))
    };
    told.iter().map(phrase).collect::<Vec<_>>().join("; ")
}

/// What a thread waits for that is blocked in a function of the library that is written in C, on memory
/// of the library.
fn called<E: Execution>(machine: &Machine<'_, E>, t: usize) -> Option<String> {
    let frames = &machine.state.threads.get(t)?.frames;
    let is_ours = |code: u32| machine.program.codes[code as usize].ours;
    let above = frames.iter().rposition(|frame| !is_ours(frame.code)).map_or(0, |at| at + 1);
    let called = &machine.program.codes[frames.get(above)?.code as usize];
    let first = match machine.next_op(t) {
        Some(Op::Lib { args, .. }) => args.first().map(|arg| machine.arg(t, *arg)),
        _ => None,
    };
    let names = Names { machine, threads: None, records: &[] };
    let is_known = |value| matches!(value, Value::Ptr(object, _) if !names.is_of_library(object));
    let of_library = first.is_none_or(|value| !is_known(value));
    (of_library && !called.internal).then(|| format!("waits in `{}`", public_name(&called.name)))
}

/// For each thread that has not ended, what it waits for.
pub fn waiting<E: Execution>(names: &Names<'_, '_, E>) -> Vec<(usize, String)> {
    let machine = names.machine;
    let name = |place: Place| format!("`{}`", names.place(place, 1));
    let owner_at = if machine.pointer_size() == 8 { 16 } else { 12 };
    let holder = |place: Place| {
        let mut copy = machine.silent_copy();
        match copy.owner(place, owner_at) {
            Ok(Value::Ptr(object, _)) => format!(", held by {}", names.object(object).0),
            _ => String::new(),
        }
    };
    let mut told = Vec::new();
    for (t, thread) in machine.state.threads.iter().enumerate().filter(|(_, thread)| !thread.ended) {
        let Some(op) = machine.next_op(t) else { continue };
        if let Some(owner) = machine.state.atomic.checked_sub(1).filter(|&owner| owner as usize != t) {
            told.push((t, format!("is held up by the atomic section of {}", names.thread(owner as usize))));
            continue;
        }
        let what = match thread.wait {
            _ if let Some(called) = called(machine, t) => called,
            Wait::Condition { cond, .. } => format!("waits for a signal on {}", name(cond)),
            Wait::Woken { mutex, .. } | Wait::Cancelled { mutex } => {
                format!("waits to lock {}{}", name(mutex), holder(mutex))
            }
            Wait::Barrier(place) => format!("waits at the barrier {}", name(place)),
            Wait::Passed { .. } => continue,
            Wait::No => match op {
                Op::Lib { lib, args, .. } => {
                    let first = args.first().map(|arg| machine.arg(t, *arg));
                    match (lib.operation(), first) {
                        (Operation::Join, Some(Value::Ptr(object, _))) => {
                            format!("waits for the end of {}", names.object(object).0)
                        }
                        (Operation::Lock, Some(Value::Ptr(object, offset))) => {
                            let place = (object, offset);
                            format!("waits to lock {}{}", name(place), holder(place))
                        }
                        (_, Some(Value::Ptr(object, offset))) => {
                            format!("waits in `{}` for {}", public_name(lib.name()), name((object, offset)))
                        }
                        (_, _) => format!("waits in `{}`", public_name(lib.name())),
                    }
                }
                Op::Load { addr, .. } | Op::CompareExchange { addr, .. } | Op::Exchange { addr, .. } => {
                    match machine.arg(t, *addr) {
                        Value::Ptr(object, offset) => {
                            format!("looks at {} again and again", name((object, offset)))
                        }
                        Value::Undef | Value::Int(_) => "goes round in a loop".into(),
                    }
                }
                _ => "goes round in a loop".into(),
            },
        };
        told.push((t, what));
    }
    told
}
