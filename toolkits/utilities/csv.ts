import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, bounded, choice, DATA_CHARS_MAX, flag, optionalText, text } from './args.ts'
import { parseJson } from './json-query.ts'

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
const DELIMITER_NAMES = Object.keys(DELIMITERS) as (keyof typeof DELIMITERS)[]
const ROWS_MAX = 20_000
const COLUMNS_MAX = 1000
const CELLS_MAX = 500_000

/** RFC 4180, read in one pass: quoted cells may hold delimiters, line ends and doubled quotes. */
export function parseCsv(source: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let [row, cells, at]: [string[], number, number] = [[], 0, source.startsWith('\ufeff') ? 1 : 0]
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row)
    if (rows.length > ROWS_MAX) throw new ToolFailure(`The table has more than ${ROWS_MAX} rows`)
    row = []
  }
  while (at <= source.length) {
    let cell = ''
    if (source[at] === '"') {
      for (;;) {
        const close = source.indexOf('"', at + 1)
        if (close === -1) throw new ToolFailure(`A quotation mark in row ${rows.length + 1} is not closed`)
        cell += source.slice(at + 1, close)
        at = close + 1
        if (source[at] !== '"') break
        cell += '"'
      }
      const after = source[at]
      if (after !== undefined && after !== delimiter && after !== '\n' && after !== '\r')
        throw new ToolFailure(`Text follows a closing quotation mark in row ${rows.length + 1}`)
    } else {
      const start = at
      while (at < source.length && source[at] !== delimiter && source[at] !== '\n' && source[at] !== '\r')
        at++
      cell = source.slice(start, at)
    }
    row.push(cell)
    if (row.length > COLUMNS_MAX || ++cells > CELLS_MAX) throw new ToolFailure('The table has too many cells')
    if (source[at] === delimiter) at++
    else {
      endRow()
      at += source[at] === '\r' && source[at + 1] === '\n' ? 2 : 1
    }
  }
  return rows
}

/** Empty names become `column_2`, repeated ones `name_2`. */
function uniqueNames(header: string[]): string[] {
  const used = new Set<string>()
  return header.map((cell, index) => {
    const wanted = cell.trim() || `column_${index + 1}`
    let name = wanted
    for (let copy = 2; used.has(name); copy++) name = `${wanted}_${copy}`
    used.add(name)
    return name
  })
}

function typed(cell: string): unknown {
  if (cell === '') return null
  if (cell === 'true' || cell === 'false') return cell === 'true'
  // No leading zeros and no more digits than a number keeps: postcodes and long ids stay text.
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) && cell.replace(/\D/g, '').length <= 15
    ? Number(cell)
    : cell
}

function csvToJson(args: Args) {
  const rows = parseCsv(
    text(args, 'csv', { max: DATA_CHARS_MAX }),
    DELIMITERS[choice(args, 'delimiter', DELIMITER_NAMES, 'comma')],
  )
  const read = flag(args, 'convert_types', true) ? typed : (cell: string) => cell
  if (!flag(args, 'header', true)) return { rows: rows.map((row) => row.map(read)), row_count: rows.length }
  const columns = uniqueNames(rows[0] ?? [])
  const long = rows.findIndex((row) => row.length > columns.length)
  if (long !== -1) throw new ToolFailure(`Row ${long + 1} has more cells than the header`)
  const records = rows
    .slice(1)
    .map((row) => Object.fromEntries(columns.map((name, index) => [name, read(row[index] ?? '')])))
  return { rows: records, columns, row_count: records.length }
}

function cellText(value: unknown, delimiter: string, guardFormulas: boolean): string {
  const plain =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
  const cell = guardFormulas && typeof value === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function jsonToCsv(args: Args) {
  const source = optionalText(args, 'json_text', DATA_CHARS_MAX)
  const list = source === undefined ? args.rows : parseJson(source)
  if (!Array.isArray(list))
    throw new ToolFailure('Give a list of objects (or of lists) as rows, or as JSON in json_text')
  if (list.length > ROWS_MAX) throw new ToolFailure(`The table has more than ${ROWS_MAX} rows`)
  const delimiter = DELIMITERS[choice(args, 'delimiter', DELIMITER_NAMES, 'comma')]
  const guard = flag(args, 'guard_formulas')
  const isRecord = (row: unknown): row is Args =>
    typeof row === 'object' && row !== null && !Array.isArray(row)
  const columns = Array.isArray(args.columns)
    ? args.columns.map(String)
    : [...new Set(list.filter(isRecord).flatMap((row) => Object.keys(row)))]
  if (columns.length > COLUMNS_MAX || columns.length * list.length > CELLS_MAX)
    throw new ToolFailure('The table has too many cells')
  const cells = list.map((row) => {
    if (Array.isArray(row)) return row
    if (!isRecord(row)) throw new ToolFailure('Every row must be an object or a list')
    return columns.map((name) => (Object.hasOwn(row, name) ? row[name] : null))
  })
  const table = columns.length > 0 && flag(args, 'header', true) ? [columns, ...cells] : cells
  return {
    csv: bounded(
      table.map((row) => row.map((cell) => cellText(cell, delimiter, guard)).join(delimiter)).join('\r\n'),
    ),
    columns,
    row_count: cells.length,
  }
}

export const csvTools: Record<string, CodeTool> = {
  UTILITIES_CSV_TO_JSON: csvToJson,
  UTILITIES_JSON_TO_CSV: jsonToCsv,
}
