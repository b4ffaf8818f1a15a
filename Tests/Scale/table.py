"""Measured numbers beside their limits."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A number that must not be above its limit; the note has its parts or its range."""

    name: str
    measured: float
    limit: float
    unit: str = ""
    note: str = ""
    digits: int = 2

    @property
    def is_met(self) -> bool:
        return self.measured <= self.limit

    def print(self) -> None:
        measured = f"{self.measured:.{self.digits}f}"
        limit = f"<= {self.limit:g} {self.unit}".rstrip()
        print(f"  {self.name:48} {measured:>8}  {limit:12} {'' if self.is_met else 'MISSED':6}  {self.note}".rstrip())


def print_rows(rows: list[Row]) -> bool:
    """Prints the rows; returns whether all limits are met."""
    for row in rows:
        row.print()
    return all(row.is_met for row in rows)
