import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Args, text } from './args.ts'

const EXPRESSION_CHARS_MAX = 1000
const DEPTH_MAX = 50
const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z][A-Za-z0-9]*)|([-+*/%^(),]))/y
const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
])

const round = (value: number, digits = 0) => {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15)
    throw new ToolFailure('round takes -15 to 15 digits')
  // By way of the decimal text, as 1.005 * 100 is less than 100.5.
  const shifted = Math.round(Number(`${Math.abs(value)}e${digits}`))
  return Number.isNaN(shifted) ? value : Math.sign(value) * Number(`${shifted}e${-digits}`)
}

const FUNCTIONS = new Map<string, { call: (...values: number[]) => number; least: number; most: number }>([
  ...(
    [
      'abs',
      'ceil',
      'floor',
      'trunc',
      'sign',
      'sqrt',
      'cbrt',
      'exp',
      'log10',
      'log2',
      'sin',
      'cos',
      'tan',
      'asin',
      'acos',
      'atan',
    ] as const
  ).map((name) => [name, { call: Math[name], least: 1, most: 1 }] as const),
  ['ln', { call: Math.log, least: 1, most: 1 }],
  ['round', { call: round, least: 1, most: 2 }],
  ['pow', { call: Math.pow, least: 2, most: 2 }],
  ['min', { call: Math.min, least: 1, most: 100 }],
  ['max', { call: Math.max, least: 1, most: 100 }],
  ['sum', { call: (...values) => values.reduce((total, value) => total + value, 0), least: 1, most: 100 }],
  [
    'avg',
    {
      call: (...values) => values.reduce((total, value) => total + value, 0) / values.length,
      least: 1,
      most: 100,
    },
  ],
])

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  const source = expression.trimEnd()
  TOKEN.lastIndex = 0
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    const match = TOKEN.exec(source)
    if (match === null) throw new ToolFailure(`"${source.slice(at, at + 10).trim()}" is not understood`)
    tokens.push(match[0].trim())
  }
  return tokens
}

/** Recursive descent over numbers, + - * / % ^, brackets and the functions above; nothing is ever evaluated as code. */
export function calculate(expression: string): number {
  const value = new Parser(tokensOf(expression)).whole()
  if (!Number.isFinite(value)) throw new ToolFailure('The result is not a finite number')
  return value
}

class Parser {
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  whole(): number {
    const value = this.#sum()
    const rest = this.#tokens[this.#at]
    if (rest !== undefined) throw new ToolFailure(`"${rest}" is not expected here`)
    return value
  }

  /** Reads the next token if it is one of these. */
  #next(...symbols: string[]): string | undefined {
    return symbols.includes(this.#tokens[this.#at] ?? '') ? this.#tokens[this.#at++] : undefined
  }

  #expect(token: string): void {
    if (this.#next(token) !== undefined) return
    const rest = this.#tokens[this.#at]
    throw new ToolFailure(`"${token}" is missing ${rest === undefined ? 'at the end' : `before "${rest}"`}`)
  }

  #nested(parse: () => number): number {
    if (++this.#depth > DEPTH_MAX)
      throw new ToolFailure(`The expression is nested more than ${DEPTH_MAX} deep`)
    const value = parse()
    this.#depth--
    return value
  }

  #sum(): number {
    let value = this.#product()
    for (let sign = this.#next('+', '-'); sign !== undefined; sign = this.#next('+', '-')) {
      const right = this.#product()
      value = sign === '+' ? value + right : value - right
    }
    return value
  }

  #product(): number {
    let value = this.#signed()
    for (let sign = this.#next('*', '/', '%'); sign !== undefined; sign = this.#next('*', '/', '%')) {
      const right = this.#signed()
      if (right === 0 && sign !== '*') throw new ToolFailure('Division by zero')
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right
    }
    return value
  }

  #signed(): number {
    const sign = this.#next('+', '-')
    if (sign === undefined) return this.#power()
    const value = this.#nested(() => this.#signed())
    return sign === '-' ? -value : value
  }

  #power(): number {
    const base = this.#atom()
    return this.#next('^') === undefined ? base : base ** this.#nested(() => this.#signed())
  }

  #atom(): number {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new ToolFailure('The expression ends too early')
    if (token === '(') {
      const value = this.#nested(() => this.#sum())
      this.#expect(')')
      return value
    }
    return /^[\d.]/.test(token) ? Number(token) : this.#name(token)
  }

  /** The value of a constant, or of a function and its values in brackets. */
  #name(token: string): number {
    const name = token.toLowerCase()
    const known = FUNCTIONS.get(name)
    if (known === undefined) {
      const value = CONSTANTS.get(name)
      if (value === undefined) throw new ToolFailure(`"${token}" is not expected here or not known`)
      return value
    }
    this.#expect('(')
    const values = [this.#nested(() => this.#sum())]
    while (this.#next(',') !== undefined) values.push(this.#nested(() => this.#sum()))
    this.#expect(')')
    if (values.length < known.least || values.length > known.most)
      throw new ToolFailure(`${name} does not take ${values.length} values`)
    return known.call(...values)
  }
}

/** 15 significant digits are what a double holds for certain: 0.1 + 0.2 is then 0.3. */
export const tidy = (value: number) => (Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)))

export const calculationTools: Record<string, CodeTool> = {
  UTILITIES_CALCULATE: (args: Args) => ({
    result: tidy(calculate(text(args, 'expression', { max: EXPRESSION_CHARS_MAX }))),
  }),
}
