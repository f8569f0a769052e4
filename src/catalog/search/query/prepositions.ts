/** The object of a command ends before one of these: `send the report to Ada`. */
export const PREPOSITIONS: ReadonlySet<string> = new Set(
  (
    'about after as at before by called for from if in into named of on or over so that through to under until via ' +
    'when where which with'
  ).split(' '),
)
