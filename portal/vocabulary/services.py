"""Service packages, service jobs (part-1 §3), and product safety recalls (Regulation (EU) 2023/988)."""

from enum import StrEnum

from portal.kernel.texts import N_


class ServicePackage(StrEnum):
    """Codes of the service packages (part-1 §3)."""

    SERVICE11 = "SERVICE11"
    SERVICE21 = "SERVICE21"
    SERVICE31 = "SERVICE31"
    SERVICE12 = "SERVICE12"
    SERVICE22 = "SERVICE22"
    SERVICE32 = "SERVICE32"
    SERVICE42 = "SERVICE42"


SERVICE_PACKAGE_NAMES: dict[ServicePackage, str] = {
    ServicePackage.SERVICE11: N_("Standard"),
    ServicePackage.SERVICE21: N_("Comfort"),
    ServicePackage.SERVICE31: N_("Deluxe"),
    ServicePackage.SERVICE12: N_("None"),
    ServicePackage.SERVICE22: N_("Start"),
    ServicePackage.SERVICE32: N_("Complete"),
    ServicePackage.SERVICE42: N_("Carefree"),
}
"""English names. The Dutch names in the catalogue: Basic, Comfort, Deluxe, geen, Start, Complete, Carefree."""


NO_PACKAGES: frozenset[ServicePackage | None] = frozenset({None, ServicePackage.SERVICE12})
"""No package: the bike has none, or the one that includes nothing."""


class ServiceJob(StrEnum):
    """Service jobs in order. The fourth job is repeated every year."""

    FIRST = "1"
    SECOND = "2"
    THIRD = "3"
    FOURTH = "4"
    UNKNOWN = "unknown"


JOBS: tuple[ServiceJob, ...] = tuple(job for job in ServiceJob if job is not ServiceJob.UNKNOWN)

JOB_NAMES: dict[ServiceJob, str] = {
    ServiceJob.FIRST: N_("First service"),
    ServiceJob.SECOND: N_("Second service"),
    ServiceJob.THIRD: N_("Third service"),
    ServiceJob.FOURTH: N_("Fourth service"),
    ServiceJob.UNKNOWN: N_("Service"),
}

JOB_CONTENTS: dict[ServiceJob, str] = {
    ServiceJob.FIRST: N_("We readjust everything that settles in the first months: brakes, gears, spokes and bolts."),
    ServiceJob.SECOND: N_("The yearly check. We clean the chain and check the tyres."),
    ServiceJob.THIRD: N_("The yearly check. We measure brake pads, cables and bearings for wear."),
    ServiceJob.FOURTH: N_("The big service. We check everything, and take the drivetrain apart and clean it."),
    ServiceJob.UNKNOWN: "",
}


class Drive(StrEnum):
    """Variant of a job (part-1 §3: bike and e-bike variants)."""

    BIKE = "bike"
    E_BIKE = "e_bike"


DRIVE_CONTENTS: dict[Drive, str] = {
    Drive.BIKE: "",
    Drive.E_BIKE: N_("We also check the motor, battery and software."),
}


class RecalledKind(StrEnum):
    FRAME = "frame"
    BATTERY = "battery"
    UNKNOWN = "unknown"
    """A kind that only a newer provider knows; never stored."""


RECALLED_NAMES: dict[RecalledKind, str] = {
    RecalledKind.FRAME: N_("Frame number"),
    RecalledKind.BATTERY: N_("Battery number"),
    RecalledKind.UNKNOWN: N_("Number"),
}


class Remedy(StrEnum):
    REPAIR = "repair"
    REPLACEMENT = "replacement"
    REFUND = "refund"
    UNKNOWN = "unknown"
    """A remedy that only a newer provider knows; never stored."""


REMEDY_NAMES: dict[Remedy, str] = {
    Remedy.REPAIR: N_("Repair"),
    Remedy.REPLACEMENT: N_("Replacement"),
    Remedy.REFUND: N_("Money back"),
    Remedy.UNKNOWN: N_("Another remedy"),
}

REMEDY_MEANINGS: dict[Remedy, str] = {
    Remedy.REPAIR: N_("We make it safe, free of charge."),
    Remedy.REPLACEMENT: N_("You get a safe product of the same kind and value, free of charge."),
    Remedy.REFUND: N_("You get back at least what you paid."),
    Remedy.UNKNOWN: "",
}

RECALL_HEADLINE = N_("Product safety recall")
"""The headline that the law prescribes: 'Veiligheidsterugroepactie' in Dutch."""
