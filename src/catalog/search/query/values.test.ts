import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuery } from './query.ts'
import { replaceValues } from './values.ts'

test('values: what fills an argument becomes the word for what it is', () => {
  for (const [text, expected] of [
    ['assign WEB-12 to Sophie', 'assign issue to Sophie'],
    ['text +31 6 12345678 that I am late', 'text phone that I am late'],
    ['let lena@orion.io in', 'let  in'],
    ['what is in A1:D20', 'what is in cell range'],
    ['tell #eng-oncall about it', 'tell channel about it'],
    ['refund pi_3Nx812 today', 'refund  today'],
    ['delete /finance/budget.xlsx for ever', 'delete file for ever'],
    ['Mr Novak and Dr. Li have a 1:1', 'Novak and Li have a meeting'],
  ] as const)
    assert.equal(replaceValues(text), expected)
})

test('values: names of standards, versions, slugs and numbers stay as they are', () => {
  for (const text of [
    'encode it as UTF-8 and hash it with SHA-256',
    'SLACK_SEND_MESSAGE with user_id and in_progress',
    'close ticket #90871',
    'convert data.csv to json',
    'order 2024-11 of last year at 15:30',
    'take the MR of Ada and the next Mr',
  ])
    assert.equal(replaceValues(text), text)
  assert.deepEqual(
    readQuery('assign WEB-12').tokens.map(({ word }) => word),
    ['assign', 'issue'],
  )
})

test('values: a long text without an end is read in time that grows with its length', () => {
  for (const text of ['a@'.repeat(2_000), '+1 '.repeat(1_500), '/a'.repeat(2_000), 'A1:'.repeat(1_500)])
    assert.equal(typeof replaceValues(text.slice(0, 2_048)), 'string')
})
