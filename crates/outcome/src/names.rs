//! Enumerations with stable names, which are their form in JSON, in databases and in options.
//!
//! *Entry point:* [`named`].
//! *Invariant:* a name belongs to one kind; a test of each enumeration verifies this.

/// Declares an enumeration of units with stable names and its form in JSON. Any other name is
/// kept in the variant behind `else`, so that files of another version remain readable.
macro_rules! named {
    (
        $(#[$meta:meta])* $type:ident {
            $($(#[$doc:meta])* $variant:ident = $name:literal,)*
        } else $(#[$other_doc:meta])* $other:ident
    ) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $type {
            $($(#[$doc])* $variant,)*
            $(#[$other_doc])* $other(Box<str>),
        }

        impl $type {
            /// Every kind with a name of its own, in order of declaration.
            pub const ALL: &'static [$type] = &[$($type::$variant),*];

            /// The stable name.
            pub fn name(&self) -> &str {
                match self {
                    $($type::$variant => $name,)*
                    $type::$other(name) => name,
                }
            }
        }

        impl From<&str> for $type {
            fn from(name: &str) -> $type {
                match name {
                    $($name => $type::$variant,)*
                    name => $type::$other(name.into()),
                }
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
                Ok($type::from(&*name))
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use named;
