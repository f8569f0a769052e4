import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misfitReason } from './misfit-reason.ts'

test('search: the reason why nothing fits is a sentence about the application', () => {
  const noAction = (verb: string, object: string) =>
    misfitReason({ kind: 'no_such_action', application: 'GitHub', verb, object })
  assert.equal(noAction('delete', 'repository'), 'No tool of GitHub deletes a repository.')
  assert.equal(noAction('copy', 'issue'), 'No tool of GitHub copies an issue.')
  assert.equal(noAction('push', 'commits'), 'No tool of GitHub pushes commits.')
  assert.equal(misfitReason({ kind: 'no_tools', application: 'Zoom' }), 'Zoom has no tools here.')
})

test('search: an application that is not installed is named with the command that adds it', () => {
  assert.match(
    misfitReason({ kind: 'not_installed', application: 'WhatsApp' }),
    /^WhatsApp is not installed: `patchbay toolkits import <OpenAPI document> --slug whatsapp`\./,
  )
  assert.match(misfitReason({ kind: 'not_installed', application: 'Google Ads' }), /--slug google_ads`/)
})
