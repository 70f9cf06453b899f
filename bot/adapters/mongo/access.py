"""Where a MongoDB database is and who speaks to it; named here, so that nothing is imported where MongoDB is not chosen."""

from dataclasses import dataclass, field
from enum import StrEnum


class Driver(StrEnum):
    """Who speaks to the server."""

    MOTOR = "motor"
    PYMONGO = "pymongo"


@dataclass(frozen=True, slots=True, kw_only=True)
class MongoAccess:
    """A database of a server. `uri` may hold a password: it is shown nowhere. `setting` is what an error calls it."""

    uri: str = field(repr=False)
    database: str
    driver: Driver = Driver.MOTOR
    setting: str = "MONGODB_URI"

    @property
    def hosts(self) -> str:
        """Return the part of the address that anybody may see."""
        return self.uri.partition("://")[2].rpartition("@")[2].partition("/")[0].partition("?")[0]
