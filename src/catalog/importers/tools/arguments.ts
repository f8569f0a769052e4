import { quoted, ImportRejected } from '../import-rejected.ts'
import { wordsOf } from './words.ts'

/** What every vendor of models takes as the name of a property, and templates as the name of a place. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/
const NAME_MAX = 64

/**
 * A name that a model and a template can use, for one that a document gave: `filter[name]` is `filter_name`,
 * `$top` is `top`.
 */
export function argumentName(wire: string): string {
  if (NAME.test(wire)) return wire
  const plain = wire.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^[_.-]+|[_.-]+$/g, '')
  const name = plain === '' ? wordsOf(wire).join('_') : plain
  return (/^[A-Za-z]/.test(name) ? name : name === '' ? 'value' : `_${name}`).slice(0, NAME_MAX)
}

/**
 * Gives each argument a name of its own: the first to come keeps its name, another is called after its place:
 * `query_id`.
 */
export function argumentNames(reserved: Iterable<string> = []) {
  const usedNames = new Set<string>(reserved)
  return (wire: string, place: string): string => {
    // Such keys would change what the objects are that hold them.
    if (wire === '__proto__')
      throw new ImportRejected('unsafe_name', `The parameter name ${quoted(wire)} cannot be sent safely.`)
    const plain = argumentName(wire)
    let name = usedNames.has(plain) || plain === '__proto__' ? `${place}_${plain}`.slice(0, NAME_MAX) : plain
    for (let count = 2; usedNames.has(name); count++)
      name = `${`${place}_${plain}`.slice(0, NAME_MAX - 5)}_${count}`
    usedNames.add(name)
    return name
  }
}
