// What every file here may use.
@_exported import TestSupport
