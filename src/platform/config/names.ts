import { settings } from './settings.ts'

const prefix = 'PATCHBAY_'
const own = new Set(Object.values(settings).map(({ name }) => name))
// Variables of the command line client, which may be set in the same shell, and of the launcher.
const others = new Set(['PATCHBAY_URL', 'PATCHBAY_API_KEY', 'PATCHBAY_ORG_API_KEY', 'PATCHBAY_RELAUNCHED'])
// Kubernetes sets variables for the services of a namespace in every container. A service named `patchbay` or
// `patchbay-postgres` yields PATCHBAY_SERVICE_HOST, PATCHBAY_PORT=tcp://10.0.0.1:3900,
// PATCHBAY_PORT_3900_TCP_ADDR and others.
const serviceLink =
  /^PATCHBAY_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/
const serviceAddress = /^(tcp|udp|sctp):\/\//

export type Variables = Record<string, string | undefined>

/** Returns the setting of a variable, for both of its names. */
export function settingFor(variable: string): string | undefined {
  const name = variable.startsWith(prefix) ? variable.slice(prefix.length) : variable
  return own.has(name) ? name : undefined
}

/**
 * Returns the value of a setting and the variable that has it. PATCHBAY_NAME has priority over NAME, because
 * shells and platforms set HOST and PORT with another meaning. An empty value is no value.
 */
export function valueOf(variables: Variables, name: string): { variable: string; text: string } | undefined {
  for (const variable of [prefix + name, name]) {
    const text = variables[variable]
    if (text && !isServiceLink(variable, text)) return { variable, text }
  }
  return undefined
}

/** Whether a variable looks like a setting, but is not one. */
export function isUnknown(variable: string): boolean {
  return variable.startsWith(prefix) && settingFor(variable) === undefined && !isForeign(variable)
}

/** Whether a variable with the prefix of the settings belongs to another program. */
export function isForeign(variable: string): boolean {
  return others.has(variable) || serviceLink.test(variable)
}

function isServiceLink(variable: string, text: string): boolean {
  return serviceLink.test(variable) && serviceAddress.test(text)
}

/** Shorter names, such as PORT, are too close to variables of other programs. */
const WARNED_LENGTH_MIN = 8

/**
 * Returns the setting that a variable of the environment probably means: one edit away. Other variables belong to
 * other programs. PATCHBAY_ names are not considered: an unknown one prevents the start.
 */
export function misspelledSetting(variable: string): string | undefined {
  if (variable.startsWith(prefix) || own.has(variable)) return undefined
  return [...own].find(
    (name) =>
      name.length >= WARNED_LENGTH_MIN &&
      // An edit changes the length by one at most. Environments have dozens of variables.
      Math.abs(name.length - variable.length) <= 1 &&
      editsBetween(variable, name) === 1,
  )
}

/** Returns the setting with the most similar name, in the same form, or undefined if none is similar. */
export function nearest(variable: string): string | undefined {
  const start = variable.startsWith(prefix) ? prefix : ''
  const asked = variable.slice(start.length).toUpperCase()
  const [best] = [...own]
    .map((name) => ({ name, edits: editsBetween(asked, name) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(2, best.name.length / 3) ? start + best.name : undefined
}

/** Returns the Levenshtein distance. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}
