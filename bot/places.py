"""Where the settings say that things are kept, and how that is told to people: a file, or databases of a MongoDB server."""

from pathlib import Path

from bot.adapters.mongo.access import Driver, MongoAccess
from bot.errors import Refused
from bot.settings import Settings

_DATABASE = "candor.db"
_ARTICLES = "_kb"


def database_file(settings: Settings) -> Path:
    """Return the file that holds conversations and passages, where MongoDB does not."""
    return settings.data_dir / _DATABASE


def conversations_at(settings: Settings) -> MongoAccess | None:
    """Return the database of the conversations; None when they are in the file."""
    if settings.mongodb_uri is None:
        return None
    return MongoAccess(
        uri=settings.mongodb_uri.get_secret_value(),
        database=settings.mongodb_database,
        driver=Driver(settings.mongodb_driver),
    )


def articles_at(settings: Settings) -> MongoAccess | None:
    """Return the database of the knowledge base, which is never that of the conversations; None when it is in the file."""
    own = settings.kb_mongodb_uri
    uri = own or settings.mongodb_uri
    if uri is None:
        return None
    return MongoAccess(
        uri=uri.get_secret_value(),
        database=settings.kb_database or f"{settings.mongodb_database}{_ARTICLES}",
        driver=Driver(settings.mongodb_driver),
        setting="MONGODB_URI" if own is None else "KB_MONGODB_URI",
    )


def require_data(settings: Settings) -> None:
    """Raise Refused when the conversations would be in a file that is not there: a command that only reads must not make one."""
    file = database_file(settings)
    if conversations_at(settings) is None and not file.is_file():
        raise Refused(f"{file}: there is no data file; name its directory with CANDOR_DATA_DIR")


def store_named(settings: Settings) -> str:
    """Say where conversations are kept, and why there."""
    access = conversations_at(settings)
    if access is None:
        return f"SQLite in {database_file(settings).name} (MONGODB_URI is not set)"
    return f"MongoDB database {access.database} at {access.hosts}, through {access.driver}"


def articles_named(settings: Settings) -> str:
    """Say which database the knowledge base is read from, and why that one."""
    access = articles_at(settings)
    if access is None:
        return f"SQLite in {database_file(settings).name} (KB_MONGODB_URI is not set)"
    own = {"KB_MONGODB_URI": settings.kb_mongodb_uri, "KB_DATABASE": settings.kb_database}
    unset = [name for name, value in own.items() if value is None]
    why = f" ({' and '.join(unset)} not set)" if unset else ""
    return f"MongoDB database {access.database} at {access.hosts}{why}"
