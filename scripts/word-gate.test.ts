import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames, checkProse, wordsOfName } from './word-gate.ts'

// The words are put together here: the gate reads this file too.
const word = (...parts: string[]) => parts.join('')

test('word list: a name is divided into words at capitals, hyphens and underscores', () => {
  assert.deepEqual(wordsOfName('claimDueDeliveries'), ['claim', 'due', 'deliveries'])
  assert.deepEqual(wordsOfName('token-refresh'), ['token', 'refresh'])
  assert.deepEqual(wordsOfName('BODY_BYTES_MAX'), ['body', 'bytes', 'max'])
})

test('word list: file names and exported names are checked, local names are left to the linter', () => {
  const name = word('wal', 'k')
  assert.equal(checkNames(`src/${name}-end.ts`, '').length, 1)
  assert.equal(checkNames('src/a.ts', `export function finish${word('Wal', 'k')}() {}`).length, 1)
  assert.equal(checkNames('src/a.ts', `const ${name} = 1`).length, 0)
})

test('word list: comments and texts of code are checked, and identifiers are not', () => {
  const text = word('ref', 'used')
  assert.deepEqual(checkProse('src/a.ts', `const a = 1\n// The call was ${text} here.`), [
    `src/a.ts:2: "${text}": use reject, deny`,
  ])
  assert.equal(checkProse('src/a.ts', `throw new Error('The call was ${text}.')`).length, 1)
  assert.equal(checkProse('src/a.ts', `if (outcome === '${text}') return`).length, 0)
})

test('word list: expressions of a template literal, patterns and quoted values are not checked', () => {
  const text = word('ref', 'used')
  const code = (template: string) => checkProse('src/a.ts', `const a = \`${template}\``)
  assert.equal(code(`The call \${\`was \${${text}} here\`} ended.`).length, 0)
  assert.equal(code(`The call \${list.map((one) => \`\${one} was ${text}\`)} ended.`).length, 1)
  assert.equal(code(`where outcome = '${text}' and id = 1`).length, 0)
  assert.equal(checkProse('src/a.ts', `const a = /it's ${text}/\nconst b = 'x y'`).length, 0)
  assert.equal(checkProse('src/a.ts', `const a = "it's" // The call was ${text}.`).length, 1)
})

test('word list: code in Markdown and tables of public questions are not checked', () => {
  const text = word('som', 'ebody')
  assert.equal(checkProse('docs/a.md', `A page for ${text}.`).length, 1)
  assert.equal(checkProse('docs/a.md', `Use \`${text}\`.\n\n\`\`\`sh\necho ${text} x\n\`\`\`\n`).length, 0)
  assert.equal(checkProse('bench/search/a.md', `A page for ${text}.`).length, 0)
})

test('word list: descriptions of toolkits are checked, and the fields that they name as code are not', () => {
  const text = word('som', 'ebody')
  const file = 'toolkits/shop/tools/SHOP_SEARCH.json'
  assert.deepEqual(checkProse(file, `{\n  "description": "Asks ${text} in the shop."\n}`), [
    `${file}:2: "${text}": use someone, a user, the caller`,
  ])
  assert.deepEqual(checkProse(file, `{ "description": "A condition: \`{\\"${text}\\"} x\`." }`), [])
  const queryWord = word('oper', 'ator')
  assert.deepEqual(checkProse(file, `{ "description": "An ${queryWord} of a search." }`), [])
  assert.equal(checkProse('docs/a.md', `The ${queryWord} of a server.`).length, 1)
})
