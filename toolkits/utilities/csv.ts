import { CsvError, type Options, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, bounded, choice, DATA_CHARS_MAX, flag, optionalText, text } from './args.ts'
import { parseJson } from './json-query.ts'

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
const DELIMITER_NAMES = Object.keys(DELIMITERS) as (keyof typeof DELIMITERS)[]
const ROWS_MAX = 20_000
const COLUMNS_MAX = 1000
const CELLS_MAX = 500_000

/** Parses CSV (RFC 4180). Lines without any text are skipped. */
export function parseCsv(source: string, delimiter: string): string[][] {
  let [rows, cells] = [0, 0]
  const options: Options = {
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    on_record(record: string[]) {
      if (record.length === 1 && record[0] === '') return null
      cells += record.length
      if (++rows > ROWS_MAX) throw new ToolFailure(`The table has more than ${ROWS_MAX} rows`)
      if (record.length > COLUMNS_MAX || cells > CELLS_MAX)
        throw new ToolFailure('The table has too many cells')
      return record
    },
  }
  try {
    return parse(source, options)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Many programs write a quotation mark into a cell without quoting the cell: 5" pipe.
    if (error.code === 'INVALID_OPENING_QUOTE') return parse(source, { ...options, relax_quotes: true })
    throw new ToolFailure(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `A quotation mark in row ${rows + 1} is not closed`
        : `Text follows a closing quotation mark in row ${rows + 1}`,
      { cause: error },
    )
  }
}

/** Names the columns: an empty name becomes `column_2`, a repeated one `name_2`. */
function uniqueNames(header: string[]): string[] {
  const used = new Set<string>()
  return header.map((cell, index) => {
    const base = cell.trim() || `column_${index + 1}`
    let name = base
    for (let copy = 2; used.has(name); copy++) name = `${base}_${copy}`
    used.add(name)
    return name
  })
}

function convertType(cell: string): unknown {
  if (cell === '') return null
  if (cell === 'true' || cell === 'false') return cell === 'true'
  // Leading zeros or more than 15 digits would be lost in a number: postcodes and long ids stay text.
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(cell) && cell.replace(/\D/g, '').length <= 15
    ? Number(cell)
    : cell
}

function csvToJson(args: Args) {
  const rows = parseCsv(
    text(args, 'csv', { max: DATA_CHARS_MAX }),
    DELIMITERS[choice(args, 'delimiter', DELIMITER_NAMES, 'comma')],
  )
  const read = flag(args, 'convert_types', true) ? convertType : (cell: string) => cell
  if (!flag(args, 'header', true)) return { rows: rows.map((row) => row.map(read)), row_count: rows.length }
  const columns = uniqueNames(rows[0] ?? [])
  const long = rows.findIndex((row) => row.length > columns.length)
  if (long !== -1) throw new ToolFailure(`Row ${long + 1} has more cells than the header`)
  const records = rows
    .slice(1)
    .map((row) => Object.fromEntries(columns.map((name, index) => [name, read(row[index] ?? '')])))
  return { rows: records, columns, row_count: records.length }
}

function cellText(value: unknown, guardFormulas: boolean): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  // Spreadsheets run a text that starts with one of these characters as a formula.
  return guardFormulas && typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
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
      stringify(
        table.map((row) => row.map((cell: unknown) => cellText(cell, guard))),
        // Cells with line ends or outer spaces are quoted, since some programs trim them.
        { delimiter, record_delimiter: '\r\n', eof: false, quoted_match: /[\r\n]|^\s|\s$/ },
      ),
    ),
    columns,
    row_count: cells.length,
  }
}

export const csvTools: Record<string, CodeTool> = {
  UTILITIES_CSV_TO_JSON: csvToJson,
  UTILITIES_JSON_TO_CSV: jsonToCsv,
}
