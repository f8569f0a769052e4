import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathBelow, slashPath } from './slash-path.ts'

test('slash paths: a path below a folder has slashes on every system', () => {
  assert.equal(pathBelow('/srv/toolkits', '/srv/toolkits/github/tools.json'), 'github/tools.json')
  assert.equal(
    pathBelow('C:\\My Apps\\toolkits', 'C:\\My Apps\\toolkits\\github\\versions\\20260101_00', '\\'),
    'github/versions/20260101_00',
  )
})

test('slash paths: the folder may be the root of a file system', () => {
  assert.equal(pathBelow('/', '/github/tools.json'), 'github/tools.json')
  assert.equal(pathBelow('D:\\', 'D:\\github\\tools.json', '\\'), 'github/tools.json')
})

test('slash paths: a backslash in a file name of Linux is not a separator', () => {
  assert.equal(slashPath('a\\b.json', '/'), 'a\\b.json')
})
