//! The type table of C: sizes and layouts under a data model.
//!
//! Types are interned: equal ids denote equal types. Each record and enumeration specifier with a
//! body or a new tag denotes a type of its own; [`Types::compatible`] decides compatibility across
//! translation units.
//!
//! *Entry points:* [`Types::size`], [`Types::lay_out`], [`Types::compatible`], [`Types::show`].
//! *Source:* C11 6.2.5, 6.2.7, 6.7.2; System V ABI for layout.
//! *Invariant:* the size of a complete record is a multiple of its alignment.

mod compatible;
mod show;

use std::sync::Arc;

use axle_source::Loc;
use rustc_hash::FxHashMap;

/// A type in the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// `const`, `volatile`, `restrict` and `_Atomic`, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Quals(pub u8);

impl Quals {
    /// `const`.
    pub const CONST: Quals = Quals(1);
    /// `volatile`.
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`.
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic`.
    pub const ATOMIC: Quals = Quals(8);
    /// All qualifiers.
    pub const ALL: Quals = Quals(15);

    /// Whether it has a qualifier of `other`.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 != 0
    }

    /// The union of both.
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
}

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Qual {
    /// The type.
    pub ty: TypeId,
    /// Its qualifiers.
    pub quals: Quals,
}

impl Qual {
    /// The type without qualifiers.
    pub fn plain(ty: TypeId) -> Qual {
        Qual { ty, quals: Quals::default() }
    }

    /// Whether accesses are atomic.
    pub fn is_atomic(self) -> bool {
        self.quals.has(Quals::ATOMIC)
    }
}

/// The integer types of the language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum IntKind {
    /// `char`, which is signed.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LLong,
    /// `unsigned long long`.
    ULLong,
    /// `__int128`.
    Int128,
    /// `unsigned __int128`.
    UInt128,
}

/// The floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatKind {
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`.
    LongDouble,
}

/// A function's type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnType {
    /// The type of the result.
    pub ret: Qual,
    /// The types of the parameters.
    pub params: Vec<Qual>,
    /// It ends in `...`.
    pub variadic: bool,
    /// Declared with `()` or an identifier list: calls are not checked against parameters.
    pub unprototyped: bool,
}

/// A type, one level deep.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// The type of an erroneous expression that is already reported; compatible with every type.
    Error,
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A pointer to a type.
    Pointer(Qual),
    /// Without a length: an incomplete type, or a flexible array member.
    Array(Qual, Option<u64>),
    /// A variable-length array: the local that holds its number of elements, or `UNSPECIFIED`.
    Long(Qual, u32),
    /// A function type.
    Function(FnType),
    /// A structure or union, by its number.
    Record(u32),
    /// An enumeration, by its number.
    Enum(u32),
}

/// The bits of a bit-field: the first bit, relative to the byte at the field's offset, and the
/// width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// The first bit.
    pub shift: u8,
    /// The number of bits.
    pub width: u8,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous record or an unnamed bit-field.
    pub name: Option<Arc<str>>,
    /// Its type.
    pub ty: Qual,
    /// Declared width of a bit-field.
    pub width: Option<u32>,
    /// Alignment from an attribute or `_Alignas`.
    pub align: u64,
    /// Alignment of the typedef name, if it exceeds that of the type.
    pub natural: u64,
    /// Without padding before it.
    pub packed: bool,
    /// Offset in bytes.
    pub offset: u64,
    /// The bits of a bit-field.
    pub bits: Option<Bits>,
    /// Its declaration.
    pub loc: Loc,
}

/// Layout attributes of a record.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Without padding.
    pub packed: bool,
    /// Minimum alignment of the record in bytes; 0 if not specified.
    pub least: u64,
    /// Maximum alignment of a member in bytes (`#pragma pack`).
    pub most: u64,
}

impl Default for Layout {
    fn default() -> Self {
        Self { packed: false, least: 0, most: u64::MAX }
    }
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag.
    pub tag: Option<Arc<str>>,
    /// The first typedef name of a record without a tag.
    pub alias: Option<Arc<str>>,
    /// The translation unit that declares it.
    pub unit: u32,
    /// A union.
    pub union: bool,
    /// Its definition was seen.
    pub complete: bool,
    /// A `transparent_union`: an argument of any member type is accepted for a parameter of this
    /// type.
    pub transparent: bool,
    /// Its members.
    pub fields: Vec<Field>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its tag.
    pub tag: Option<Arc<str>>,
    /// The first typedef name of an enumeration without a tag.
    pub alias: Option<Arc<str>>,
    /// The translation unit that declares it.
    pub unit: u32,
    /// Names and values of its constants, sorted by name once it is complete.
    pub constants: Vec<(Arc<str>, i128)>,
    /// The compatible integer type.
    pub repr: IntKind,
    /// Its definition was seen.
    pub complete: bool,
}

/// Widths of the basic types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum DataModel {
    /// `long` and pointers have 64 bits (x86-64).
    #[default]
    Lp64,
    /// `int`, `long` and pointers have 32 bits (i386).
    Ilp32,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    /// The sizes of the basic types.
    pub model: DataModel,
    list: Vec<Type>,
    known: FxHashMap<Type, TypeId>,
    /// Structures and unions.
    pub records: Vec<Record>,
    /// Enumerations.
    pub enums: Vec<Enumeration>,
    /// The translation unit that is being parsed.
    pub unit: u32,
}

pub const ERROR: TypeId = TypeId(0);
pub const VOID: TypeId = TypeId(1);
pub const BOOL: TypeId = TypeId(2);
pub const CHAR: TypeId = TypeId(3);
pub const SCHAR: TypeId = TypeId(4);
pub const UCHAR: TypeId = TypeId(5);
pub const SHORT: TypeId = TypeId(6);
pub const USHORT: TypeId = TypeId(7);
pub const INT: TypeId = TypeId(8);
pub const UINT: TypeId = TypeId(9);
pub const LONG: TypeId = TypeId(10);
pub const ULONG: TypeId = TypeId(11);
pub const LLONG: TypeId = TypeId(12);
pub const ULLONG: TypeId = TypeId(13);
pub const INT128: TypeId = TypeId(14);
pub const UINT128: TypeId = TypeId(15);
pub const FLOAT: TypeId = TypeId(16);
pub const DOUBLE: TypeId = TypeId(17);
pub const LDOUBLE: TypeId = TypeId(18);
pub const CHARS: TypeId = TypeId(19);
pub const VOID_PTR: TypeId = TypeId(20);

/// The length of a variable-length array in a prototype, which is never evaluated (C11 6.7.6.2p4).
pub const UNSPECIFIED: u32 = u32::MAX;

/// Maximum object size in bytes; larger objects are rejected, so sizes never overflow.
pub const LARGEST: u64 = 1 << 30;

impl Types {
    pub(crate) fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            list: Vec::new(),
            known: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            unit: 0,
        };
        use IntKind as I;
        let ints = [
            I::Char,
            I::SChar,
            I::UChar,
            I::Short,
            I::UShort,
            I::Int,
            I::UInt,
            I::Long,
            I::ULong,
            I::LLong,
            I::ULLong,
            I::Int128,
            I::UInt128,
        ];
        types.intern(Type::Error);
        types.intern(Type::Void);
        types.intern(Type::Bool);
        for kind in ints {
            types.intern(Type::Int(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble] {
            types.intern(Type::Float(kind));
        }
        types.intern(Type::Pointer(Qual::plain(CHAR)));
        types.intern(Type::Pointer(Qual::plain(VOID)));
        types
    }

    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = TypeId(self.list.len() as u32);
        self.list.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The type with this number.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.list[id.0 as usize]
    }

    pub(crate) fn pointer(&mut self, to: Qual) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    pub(crate) fn new_record(&mut self, tag: Option<Arc<str>>, union: bool) -> TypeId {
        let id = self.records.len() as u32;
        self.records.push(Record {
            tag,
            alias: None,
            unit: self.unit,
            union,
            complete: false,
            transparent: false,
            fields: Vec::new(),
            size: 0,
            align: 1,
        });
        self.intern(Type::Record(id))
    }

    pub(crate) fn new_enum(&mut self, tag: Option<Arc<str>>) -> TypeId {
        let id = self.enums.len() as u32;
        self.enums.push(Enumeration {
            tag,
            alias: None,
            unit: self.unit,
            constants: Vec::new(),
            repr: IntKind::UInt,
            complete: false,
        });
        self.intern(Type::Enum(id))
    }

    /// The structure or union, if the type is one.
    pub fn record(&self, id: TypeId) -> Option<&Record> {
        match self.get(id) {
            Type::Record(record) => Some(&self.records[*record as usize]),
            _ => None,
        }
    }

    /// The integer kind of a type; for an enumeration the kind of its compatible integer type.
    pub fn int_kind(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            Type::Enum(which) => Some(self.enums[*which as usize].repr),
            _ => None,
        }
    }

    /// Whether it is an integer type.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Error)
    }

    /// Whether it is an integer or floating type.
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || matches!(self.get(id), Type::Float(_))
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_) | Type::Error)
    }

    /// Whether it is arithmetic or a pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Whether it is a structure or union.
    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Record(_))
    }

    /// The type that a pointer type points to.
    pub fn pointee(&self, id: TypeId) -> Option<Qual> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(&self, id: TypeId) -> bool {
        use IntKind as I;
        match self.int_kind(id) {
            Some(I::Char | I::SChar | I::Short | I::Int | I::Long | I::LLong | I::Int128) => true,
            Some(I::UChar | I::UShort | I::UInt | I::ULong | I::ULLong | I::UInt128) | None => false,
        }
    }

    /// Size of a pointer in bytes.
    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }

    /// Whether it is a structure of the library's sources.
    pub fn is_internal(&self, id: TypeId) -> bool {
        let tag = self.record(id).and_then(|record| record.tag.as_ref());
        tag.is_some_and(|tag| crate::library::is_internal(tag))
    }

    /// Whether it is an integer type of 128 bits, whose values no register can hold.
    pub fn is_wide(&self, id: TypeId) -> bool {
        matches!(id, INT128 | UINT128)
    }

    /// `size_t`.
    pub fn size_type(&self) -> TypeId {
        match self.model {
            DataModel::Lp64 => ULONG,
            DataModel::Ilp32 => UINT,
        }
    }

    /// `ptrdiff_t`.
    pub fn ptrdiff_type(&self) -> TypeId {
        match self.model {
            DataModel::Lp64 => LONG,
            DataModel::Ilp32 => INT,
        }
    }

    /// Size of an integer type in bytes.
    pub fn int_size(&self, kind: IntKind) -> u64 {
        use IntKind as I;
        match kind {
            I::Char | I::SChar | I::UChar => 1,
            I::Short | I::UShort => 2,
            I::Int | I::UInt => 4,
            I::Long | I::ULong => self.pointer_size(),
            I::LLong | I::ULLong => 8,
            I::Int128 | I::UInt128 => 16,
        }
    }

    /// Size of a complete type in bytes; `None` for an incomplete one. `void` and functions have
    /// size 1, as in GNU C.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Error | Type::Void | Type::Function(_) | Type::Bool => Some(1),
            Type::Int(kind) => Some(self.int_size(*kind)),
            Type::Enum(which) => Some(self.int_size(self.enums[*which as usize].repr)),
            Type::Float(FloatKind::Float) => Some(4),
            Type::Float(FloatKind::Double) => Some(8),
            Type::Float(FloatKind::LongDouble) => Some(if self.model == DataModel::Lp64 { 16 } else { 12 }),
            Type::Pointer(_) => Some(self.pointer_size()),
            Type::Array(element, Some(length)) => {
                let size = self.size(element.ty)?.checked_mul(*length)?;
                (size <= LARGEST).then_some(size)
            }
            Type::Array(_, None) | Type::Long(..) => None,
            Type::Record(which) => {
                let record = &self.records[*which as usize];
                record.complete.then_some(record.size)
            }
        }
    }

    /// Alignment in bytes.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) | Type::Long(element, _) => self.align(element.ty),
            Type::Record(which) => self.records[*which as usize].align,
            Type::Float(FloatKind::LongDouble) if self.model == DataModel::Ilp32 => 4,
            _ => {
                let size = self.size(id).unwrap_or(1);
                // i386 aligns 8-byte scalars in records to 4 bytes.
                if self.model == DataModel::Ilp32 { size.min(4) } else { size }
            }
        }
    }

    /// Completes a record: computes the offset of every member. Returns false if it is too large.
    pub(crate) fn lay_out(&mut self, id: TypeId, mut fields: Vec<Field>, layout: Layout) -> bool {
        let Type::Record(which) = *self.get(id) else { return true };
        let union = self.records[which as usize].union;
        let (mut bit, mut end, mut align) = (0u64, 0u64, layout.least.max(1));
        let mut fits = true;
        for field in &mut fields {
            let size = self.size(field.ty.ty).unwrap_or(0);
            let packed = layout.packed || field.packed;
            let natural = if packed { 1 } else { self.align(field.ty.ty).max(field.natural) };
            let own = natural.max(field.align).clamp(1, layout.most);
            if union {
                bit = 0;
            }
            match field.width {
                Some(0) => bit = bit.next_multiple_of(self.align(field.ty.ty) * 8),
                Some(width) => {
                    let (unit, width) = (size.max(1) * 8, u64::from(width));
                    let asked = field.align.min(layout.most);
                    if asked > 0 {
                        bit = bit.next_multiple_of(asked * 8);
                    }
                    // As in GCC, bit-fields may cross unit boundaries once the alignment of members
                    // is limited.
                    if !packed && layout.most == u64::MAX && bit / unit != (bit + width - 1) / unit {
                        bit = bit.next_multiple_of(own * 8);
                    }
                    field.offset = bit / 8;
                    field.bits = Some(Bits { shift: (bit % 8) as u8, width: width as u8 });
                    bit += width;
                    if field.name.is_some() && layout.most < u64::MAX {
                        align = align.max(self.align(field.ty.ty).max(asked).min(layout.most));
                    } else if field.name.is_some() {
                        align = align.max(own);
                    }
                }
                None => {
                    bit = bit.next_multiple_of(own * 8);
                    field.offset = bit / 8;
                    bit += size * 8;
                    align = align.max(own);
                }
            }
            end = end.max(bit);
            if end > LARGEST * 8 {
                (end, bit, fits) = (0, 0, false);
            }
        }
        let record = &mut self.records[which as usize];
        record.size = end.div_ceil(8).next_multiple_of(align);
        record.align = align;
        record.fields = fields;
        record.complete = true;
        fits
    }

    /// Marks a union as transparent.
    pub(crate) fn make_transparent(&mut self, id: TypeId) {
        if let Type::Record(which) = *self.get(id) {
            let record = &mut self.records[which as usize];
            record.transparent = record.union;
        }
    }

    /// The offset, bits and type of a member, also inside anonymous records.
    pub fn find_field(&self, id: TypeId, name: &str) -> Option<(u64, Option<Bits>, Qual)> {
        let record = self.record(id)?;
        for field in &record.fields {
            match &field.name {
                Some(own) if **own == *name => return Some((field.offset, field.bits, field.ty)),
                None if field.width.is_none() => {
                    if let Some((offset, bits, mut ty)) = self.find_field(field.ty.ty, name) {
                        ty.quals = ty.quals.with(field.ty.quals);
                        return Some((field.offset + offset, bits, ty));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The names of all members that [`Types::find_field`] finds.
    pub fn field_names(&self, id: TypeId) -> Vec<&str> {
        let mut names = Vec::new();
        for field in self.record(id).into_iter().flat_map(|record| &record.fields) {
            match &field.name {
                Some(name) => names.push(&**name),
                None if field.width.is_none() => names.extend(self.field_names(field.ty.ty)),
                None => {}
            }
        }
        names
    }

    /// The names of the constants of an enumerated type that have a value, by name.
    pub fn constants_of(&self, id: TypeId, value: i128) -> Vec<&str> {
        match self.get(id) {
            Type::Enum(which) => {
                let all = self.enums[*which as usize].constants.iter();
                all.filter(|(_, own)| *own == value).map(|(name, _)| &**name).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values of the enumeration constants of a name, each once.
    pub fn values_of_constant(&self, name: &str) -> Vec<i128> {
        let all = self.enums.iter().flat_map(|one| &one.constants);
        let mut values: Vec<i128> = all.filter(|(own, _)| **own == *name).map(|(_, value)| *value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The offset of the first union member of this type.
    pub fn union_member(&self, union: TypeId, member: TypeId) -> Option<u64> {
        let record = self.record(union).filter(|record| record.union)?;
        let found = record.fields.iter().find(|field| field.ty.ty == member && field.width.is_none());
        found.map(|field| field.offset)
    }

    /// Whether the type is a variable-length array.
    pub fn is_long(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Long(..) => true,
            Type::Array(element, _) => self.is_long(element.ty),
            _ => false,
        }
    }

    /// Whether the type is variably modified (C11 6.7.6p3).
    pub fn has_long(&self, id: TypeId) -> bool {
        match self.get(id) {
            Type::Long(..) => true,
            Type::Array(to, _) | Type::Pointer(to) => self.has_long(to.ty),
            _ => false,
        }
    }

    /// The innermost element type of a variable-length array.
    pub fn innermost(&self, mut id: TypeId) -> TypeId {
        while self.is_long(id)
            && let Type::Array(element, _) | Type::Long(element, _) = self.get(id)
        {
            id = element.ty;
        }
        id
    }

    /// The element type of an array.
    pub fn element(&self, id: TypeId) -> Option<Qual> {
        match self.get(id) {
            Type::Array(element, _) | Type::Long(element, _) => Some(*element),
            _ => None,
        }
    }
}
