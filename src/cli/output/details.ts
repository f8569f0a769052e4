import { isObject } from '../../platform/json-object.ts'
import { type Io, painter, printable } from '../io.ts'
import { NONE, textWidth } from './table.ts'

type Paint = ReturnType<typeof painter>

/** Formats a value as indented lines of names and values. */
export function details(io: Io, value: unknown): string {
  return lines(value, painter(io, io.stdout))
    .map((line) => `${line}\n`)
    .join('')
}

function lines(value: unknown, paint: Paint): string[] {
  if (Array.isArray(value))
    return value.length === 0 ? [paint('dim', NONE)] : value.flatMap((item) => listItem(item, paint))
  if (!isObject(value)) return scalar(value, paint)
  const entries = Object.entries(value)
  if (entries.length === 0) return [paint('dim', NONE)]
  const width = Math.min(
    28,
    Math.max(...entries.filter(([, item]) => isShort(item)).map(([key]) => textWidth(key)), 0),
  )
  return entries.flatMap(([key, item]) => {
    const name = printable(key)
    if (!isShort(item)) return [paint('bold', name), ...lines(item, paint).map((line) => `  ${line}`)]
    return [`${paint('bold', name.padEnd(width))}  ${isPartlyMasked(key, item) ? MASK : short(item, paint)}`]
  })
}

const MASK = '••••••'
const SECRET_NAME = /pass(word|phrase)?|secret|token|key|credential|signature/i

/** The API masks secrets after their first characters (`pass...`). A terminal shows none of them. */
const isPartlyMasked = (name: string, value: unknown): boolean =>
  typeof value === 'string' && value.endsWith('...') && SECRET_NAME.test(name)

function listItem(item: unknown, paint: Paint): string[] {
  return lines(item, paint).map((line, at) => `${at === 0 ? '- ' : '  '}${line}`)
}

function scalar(value: unknown, paint: Paint): string[] {
  if (value === null || value === undefined || value === '') return [paint('dim', NONE)]
  return printable(String(value)).split('\n')
}

function short(value: unknown, paint: Paint): string {
  if (!Array.isArray(value)) return isObject(value) ? paint('dim', NONE) : (scalar(value, paint)[0] ?? '')
  return value.length === 0 ? paint('dim', NONE) : printable(value.join(', '))
}

/** Whether a value fits on the line of its name. */
function isShort(value: unknown): boolean {
  if (Array.isArray(value))
    return value.every((item) => typeof item !== 'object' || item === null) && value.join(', ').length <= 100
  return isObject(value) ? Object.keys(value).length === 0 : !String(value).includes('\n')
}
