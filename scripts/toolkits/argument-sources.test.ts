import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesOf } from './argument-sources.ts'

const LISTS = new Map([
  ['GET /guilds/{}/channels', 'LIST_GUILD_CHANNELS'],
  ['GET /guilds/{}/channels/{}/archived/channels', 'LIST_ARCHIVED'],
  ['GET /projects', 'LIST_PROJECTS'],
  ['GET /teams/{}/projects', 'LIST_TEAM_PROJECTS'],
  ['GET /folders/{}/items', 'LIST_FOLDER_ITEMS'],
])
const sources = (path: string, slug = 'TOOL') =>
  Object.fromEntries(sourcesOf({ key: `GET ${path.replace(/\{\w+\}/g, '{}')}`, path }, LISTS, slug))

test('sources of arguments: the list at the path before an argument returns its values', () => {
  assert.deepEqual(sources('/projects/{project_id}/tags'), { project_id: 'LIST_PROJECTS' })
  assert.deepEqual(sources('/projects/{project_id}', 'LIST_PROJECTS'), {})
})

test('sources of arguments: without such a list, one of the same objects elsewhere does', () => {
  assert.deepEqual(sources('/channels/{channel_id}/messages'), { channel_id: 'LIST_GUILD_CHANNELS' })
  assert.deepEqual(sources('/channel/{id}'), { id: 'LIST_GUILD_CHANNELS' })
})

test('sources of arguments: of several lists elsewhere, only one below the same first segment is a source', () => {
  const lists = new Map([...LISTS, ['GET /ads/{}/channels', 'LIST_AD_CHANNELS']])
  const of = (path: string) =>
    Object.fromEntries(sourcesOf({ key: `GET ${path.replace(/\{\w+\}/g, '{}')}`, path }, lists, 'TOOL'))
  assert.deepEqual(of('/ads/channels/{channel_id}'), { channel_id: 'LIST_AD_CHANNELS' })
  assert.deepEqual(of('/channels/{channel_id}'), {})
})

test('sources of arguments: words for any kind of object, and what is no id of the objects, have no list', () => {
  assert.deepEqual(sources('/items/{item_id}'), {})
  assert.deepEqual(sources('/channels/{view}'), {})
  assert.deepEqual(sources('/channels/{owner_id}/names'), {})
  assert.deepEqual(sources('/users/{user_id}'), {})
})
