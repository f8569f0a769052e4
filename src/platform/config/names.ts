import { settings } from './settings.ts'

const prefix = 'PATCHBAY_'
const own = new Set(Object.values(settings).map(({ name }) => name))
// The command line client's, which may be set in the same shell, and the launcher's.
const others = new Set(['PATCHBAY_URL', 'PATCHBAY_API_KEY', 'PATCHBAY_ORG_API_KEY', 'PATCHBAY_RELAUNCHED'])
// Kubernetes tells every container where the services of its namespace are, so a service named `patchbay` or
// `patchbay-postgres` yields PATCHBAY_SERVICE_HOST, PATCHBAY_PORT=tcp://10.0.0.1:3900, PATCHBAY_PORT_3900_TCP_ADDR, …
const serviceLink =
  /^PATCHBAY_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/
const serviceAddress = /^(tcp|udp|sctp):\/\//

export type Variables = Record<string, string | undefined>

/** The setting that a variable means, under its plain or its long name. */
export function settingFor(variable: string): string | undefined {
  const name = variable.startsWith(prefix) ? variable.slice(prefix.length) : variable
  return own.has(name) ? name : undefined
}

/**
 * The value of a setting, and the variable that it comes from: PATCHBAY_NAME wins over NAME, because HOST and PORT are also
 * set by shells and platforms that mean something else. An empty value is no value.
 */
export function valueOf(variables: Variables, name: string): { variable: string; text: string } | undefined {
  for (const variable of [prefix + name, name]) {
    const text = variables[variable]
    if (text && !isServiceLink(variable, text)) return { variable, text }
  }
  return undefined
}

/** Whether a variable looks like a setting of ours but is none. */
export function isUnknown(variable: string): boolean {
  return variable.startsWith(prefix) && settingFor(variable) === undefined && !isForeign(variable)
}

/** Whether a variable with our prefix belongs to something else. */
export function isForeign(variable: string): boolean {
  return others.has(variable) || serviceLink.test(variable)
}

function isServiceLink(variable: string, text: string): boolean {
  return serviceLink.test(variable) && serviceAddress.test(text)
}

/** The setting whose name is nearest, in the same long or plain form; undefined when none is near. */
export function nearest(variable: string): string | undefined {
  const start = variable.startsWith(prefix) ? prefix : ''
  const asked = variable.slice(start.length).toUpperCase()
  const [best] = [...own]
    .map((name) => ({ name, edits: editsBetween(asked, name) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.max(2, best.name.length / 3) ? start + best.name : undefined
}

/** Levenshtein distance. */
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
