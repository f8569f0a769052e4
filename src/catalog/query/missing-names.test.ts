import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalog } from '../types/index.ts'
import { describeMissingTool, describeMissingToolkit, describeMissingTriggerType } from './missing-names.ts'

const catalog = {
  toolkits: [{ slug: 'github' }, { slug: 'gitlab' }],
  tools: [
    { slug: 'GITLAB_CREATE_ISSUE', toolkit: 'gitlab' },
    { slug: 'GITHUB_CREATE_AN_ISSUE', toolkit: 'github' },
    { slug: 'GITHUB_STAR_A_REPOSITORY', toolkit: 'github' },
  ],
  tool: (slug: string) => (slug === 'GITHUB_STAR_A_REPOSITORY' ? {} : undefined),
  triggers: (slug: string) => [{ trigger: { slug: `${slug.toUpperCase()}_COMMIT_EVENT` } }],
} as unknown as Catalog

test('unknown tools: the nearest tool of the same toolkit is suggested', () => {
  assert.equal(
    describeMissingTool(catalog, 'GITHUB_CREATE_ISSUE'),
    'Tool GITHUB_CREATE_ISSUE not found. Did you mean GITHUB_CREATE_AN_ISSUE?',
  )
  assert.equal(
    describeMissingTool(catalog, 'GITHIB_CREATE_AN_ISSUE'),
    'Tool GITHIB_CREATE_AN_ISSUE not found. Did you mean GITHUB_CREATE_AN_ISSUE?',
  )
  assert.equal(describeMissingTool(catalog, 'NO_SUCH_TOOL'), 'Tool NO_SUCH_TOOL not found')
})

test('unknown tools: a meta tool leads to the operation of sessions, in each brand', () => {
  for (const slug of ['SERVICE_SEARCH_TOOLS', 'brand_get_recipe'])
    assert.equal(
      describeMissingTool(catalog, slug),
      `${slug.toUpperCase()} works only in a session. Send it to POST ` +
        '/tool_router/session/{session_id}/execute_meta',
    )
  assert.equal(describeMissingTool(catalog, 'GITHUB_GET_RECIPE'), 'Tool GITHUB_GET_RECIPE not found')
})

test('unknown tools: a tool that another version has is described with the version', () => {
  assert.equal(
    describeMissingTool(catalog, 'GITHUB_STAR_A_REPOSITORY', '20260101_00'),
    'Tool GITHUB_STAR_A_REPOSITORY not found in version 20260101_00',
  )
})

test('unknown toolkits and trigger types: the nearest name is suggested', () => {
  assert.equal(describeMissingToolkit(catalog, 'gihub'), 'Toolkit gihub not found. Did you mean github?')
  assert.equal(describeMissingToolkit(catalog, 'nowhere'), 'Toolkit nowhere not found')
  assert.equal(
    describeMissingTriggerType(catalog, 'github_comit_event'),
    'Trigger type GITHUB_COMIT_EVENT not found. Did you mean GITHUB_COMMIT_EVENT?',
  )
})
