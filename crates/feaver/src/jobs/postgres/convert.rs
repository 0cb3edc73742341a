//! Values of the store as values of PostgreSQL, and back.

// The type in the signature of `ToSql`; a dependency on `bytes` would serve this name only.
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::jobs::error::StoreError;
use crate::jobs::sql::{Row, Value};

/// A parameter of a statement.
pub(super) fn parameter(value: &Value) -> &(dyn ToSql + Sync) {
    value
}

/// A row as values.
pub(super) fn row(row: &postgres::Row) -> Result<Row, StoreError> {
    let column = |(index, column): (usize, &postgres::Column)| match *column.type_() {
        Type::INT8 => Ok(row.get::<_, Option<i64>>(index).into()),
        Type::INT4 => Ok(row.get::<_, Option<i32>>(index).map(i64::from).into()),
        Type::FLOAT8 => Ok(row.get::<_, Option<f64>>(index).into()),
        Type::TEXT => Ok(row.get::<_, Option<&str>>(index).into()),
        Type::BYTEA => Ok(row.get::<_, Option<&[u8]>>(index).into()),
        ref other => Err(StoreError::Other(format!("column {} has the type {other}", column.name()))),
    };
    row.columns().iter().enumerate().map(column).collect::<Result<_, _>>().map(Row::new)
}

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(it) => it.to_sql(ty, out),
            Self::Real(it) => it.to_sql(ty, out),
            Self::Text(it) => it.to_sql(ty, out),
            Self::Bytes(it) => it.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::FLOAT8 | Type::TEXT | Type::BYTEA)
    }

    to_sql_checked!();
}
