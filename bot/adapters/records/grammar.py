"""What may stand in a statement, by name: pieces of grammar, their parts, functions, types. Whatever is not listed here is refused."""

from collections.abc import Mapping

from sqlglot import exp

LONGEST = 4_000  # characters
MOST_WORDS = 600
DEEPEST_BRACKETS = 12
DEEPEST = 40
MOST_TABLES = 6
LONGEST_NAME = 60  # bytes; PostgreSQL cuts names at 63

# Pieces that have parts of their own: none but these may be there. `Select` alone has two dozen more (INTO, locks, samples, hints …).
PARTS: Mapping[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset(
        {"with_", "distinct", "expressions", "from_", "joins", "where", "group", "having"}
        | {"windows", "order", "limit", "offset"}
    ),
    exp.Table: frozenset({"this", "alias"}),
    exp.TableAlias: frozenset({"this"}),
    exp.Join: frozenset({"this", "side", "kind", "on", "using"}),
    exp.Subquery: frozenset({"this", "alias"}),
    exp.Column: frozenset({"this", "table"}),
    exp.Star: frozenset(),
    exp.With: frozenset({"expressions"}),
    exp.CTE: frozenset({"this", "alias"}),
    exp.Limit: frozenset({"expression"}),
    exp.Offset: frozenset({"expression"}),
    exp.Group: frozenset({"expressions"}),
    exp.Order: frozenset({"expressions"}),
    exp.Ordered: frozenset({"this", "desc", "nulls_first"}),
    exp.Distinct: frozenset({"expressions", "on"}),
    exp.Window: frozenset({"this", "alias", "over", "partition_by", "order"}),
    exp.Filter: frozenset({"this", "expression"}),
    exp.Cast: frozenset({"this", "to"}),
    exp.In: frozenset({"this", "expressions", "query"}),
    exp.Like: frozenset({"this", "expression"}),
    exp.ILike: frozenset({"this", "expression"}),
    exp.Interval: frozenset({"this", "unit"}),
    exp.Exists: frozenset({"this"}),
    exp.TsOrDsToTimestamp: frozenset({"this"}),  # how sqlglot marks what SQLite's strftime is given
}

PLAIN: frozenset[type[exp.Expr]] = frozenset(
    {
        *(exp.From, exp.Where, exp.Having, exp.Alias, exp.Identifier, exp.Literal, exp.Boolean, exp.Null),
        *(exp.Paren, exp.Tuple, exp.Var, exp.Case, exp.If, exp.DataType, exp.DataTypeParam),
        *(exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.Between),
        *(exp.NullSafeEQ, exp.NullSafeNEQ, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.DPipe),
        *(exp.CurrentDate, exp.CurrentTimestamp, exp.Localtimestamp, exp.AtTimeZone),
    }
)

# A word that may stand before a bracket without being a function.
NO_FUNCTIONS = frozenset(
    {
        *(
            "and",
            "or",
            "not",
            "in",
            "is",
            "between",
            "like",
            "ilike",
            "exists",
            "case",
            "when",
            "then",
            "else",
        ),
        *("select", "distinct", "from", "join", "on", "using", "where", "having", "by", "limit", "offset"),
        *("as", "cast", "over", "filter", "varchar", "decimal", "numeric", "time", "timestamp"),
    }
)

TYPES = frozenset(
    {
        *(
            exp.DType.TEXT,
            exp.DType.VARCHAR,
            exp.DType.CHAR,
            exp.DType.BOOLEAN,
            exp.DType.INT,
            exp.DType.BIGINT,
        ),
        *(exp.DType.SMALLINT, exp.DType.DECIMAL, exp.DType.FLOAT, exp.DType.DOUBLE, exp.DType.DATE),
        *(exp.DType.TIME, exp.DType.TIMETZ, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ, exp.DType.DATETIME),
        exp.DType.INTERVAL,
    }
)

_COMMON = (
    "count sum avg min max coalesce nullif round abs lower upper trim ltrim rtrim length substring substr "
    "row_number rank dense_rank ntile lag lead first_value last_value date "
)

# None that makes rows, waits, reads what is not in the rows, or makes a text much longer than it was.
FUNCTIONS: Mapping[str, frozenset[str]] = {
    "postgres": frozenset(
        (
            _COMMON
            + "greatest least floor ceil ceiling mod trunc btrim char_length left right position strpos "
            "concat date_trunc date_part extract age now to_char to_date make_date bool_or bool_and"
        ).split()
    ),
    "sqlite": frozenset(
        (_COMMON + "ifnull iif instr total time datetime julianday strftime unixepoch").split()
    ),
}

NAMES = {"postgres": "PostgreSQL", "sqlite": "SQLite"}
