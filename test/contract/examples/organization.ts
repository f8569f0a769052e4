import { readAuthConfig } from '../../../src/contract/auth-configs/index.ts'
import { createIncident } from '../../../src/contract/incidents.ts'
import { inviteMember } from '../../../src/contract/members.ts'
import { setModel } from '../../../src/contract/playground.ts'
import { createOrganizationKey, deleteProject } from '../../../src/contract/projects/index.ts'
import { createSession } from '../../../src/contract/sessions/index.ts'
import { unique, type World } from '../world.ts'
import { type Example, executed } from './samples.ts'

const languageModel = ({ application }: World) => ({
  base_url: `${application.url}/v1`,
  model: 'any',
  api_key: 'sk-example',
})

const memberDraft = (project: string) => ({
  email: `${unique()}@example.com`,
  name: 'Grace',
  role: 'member' as const,
  projects: [{ project_id: project, role: 'viewer' as const }],
})

const ssoDraft = (issuer: string) => ({
  issuer,
  client_id: 'patchbay',
  client_secret: 'secret',
  name: 'Example SSO',
  scopes: 'openid email',
  allowed_domains: ['example.com'],
  trusts_email: true,
  role_claim: 'roles',
  role_map: { engineering: 'developer' as const },
  default_role: 'viewer' as const,
})

/** A new key of the organization, as parameters of its operations. */
async function organizationKey({ org }: World): Promise<{ key_id: string }> {
  const { body } = await org(createOrganizationKey, { body: { permissions: { usage: ['read'] } } })
  return { key_id: body.id }
}

/** A new member of the organization, as parameters of its operations. */
async function member({ org, own }: World): Promise<{ member_id: string }> {
  const { body } = await org(inviteMember, { body: memberDraft(own.project) })
  return { member_id: body.member.id }
}

/** Calls of the operations of projects, keys, members, users, the audit log, incidents and the playground. */
export const ORGANIZATION_EXAMPLES: Readonly<Record<string, Example>> = {
  'projects.createDemo': () => ({}),
  'projectKeys.reportLeaked': () => ({ body: { api_keys: ['ak_0123456789abcdefghij', 'no key'] } }),
  'projects.create': () => ({
    body: {
      name: `p-${unique()}`,
      should_create_api_key: true,
      config: {
        is_2FA_enabled: true,
        mask_secret_keys_in_connected_account: true,
        log_visibility_setting: 'show_all',
      },
    },
  }),
  'audit.list': () => ({ query: { object_type: 'auth_config', limit: 5 } }),
  'audit.listOrganization': () => ({ query: { outcome: 'success', limit: 5 } }),
  'audit.export': () => ({ query: { format: 'csv', limit: 5 } }),
  'audit.exportOrganization': () => ({ query: { limit: 5 } }),
  'audit.verify': () => ({}),
  'audit.verifyOrganization': () => ({}),
  'incidents.create': () => ({ body: { user_id: `nobody-${unique()}`, reason: 'a test' } }),
  'incidents.list': () => ({ query: { limit: 5 } }),
  'incidents.read': async ({ org }) => ({
    params: { incident_id: (await org(createIncident, { body: { user_id: 'nobody' } })).body.id },
  }),
  'projects.list': () => ({ query: { limit: 5 } }),
  'projects.read': ({ own }) => ({ params: { nano_id: own.project } }),
  'projects.delete': async ({ project }) => ({ params: { nano_id: (await project()).id } }),
  'projects.readDeletion': async ({ project, org }) => {
    const params = { nano_id: (await project()).id }
    await org(deleteProject, { params })
    return { params }
  },
  'projects.regenerateApiKey': async ({ project }) => ({ params: { nano_id: (await project()).id } }),
  'projectKeys.create': ({ own }) => ({
    params: { nano_id: own.project },
    body: { name: 'reader', permissions: { tools: ['read'] }, allowed_ips: ['10.0.0.0/8', '::1'] },
  }),
  'projectKeys.list': ({ own }) => ({ params: { nano_id: own.project } }),
  'projectKeys.delete': async ({ own, projectKey }) => ({
    params: { nano_id: own.project, key_id: (await projectKey(own.project)).id },
  }),
  'projectKeys.rotate': async ({ own, projectKey }) => ({
    params: { nano_id: own.project, key_id: (await projectKey(own.project)).id },
    body: { overlap_seconds: 60 },
  }),
  'orgKeys.create': () => ({ body: { name: 'usage', permissions: { usage: ['read'] } } }),
  'orgKeys.list': () => ({}),
  'orgKeys.rotate': async (w) => ({ params: await organizationKey(w), body: { overlap_seconds: 60 } }),
  'orgKeys.delete': async (w) => ({ params: await organizationKey(w) }),
  'members.list': () => ({}),
  'members.invite': ({ own }) => ({ body: memberDraft(own.project) }),
  'members.update': async (w) => ({ params: await member(w), body: { name: 'Grace H.', role: 'admin' } }),
  'members.createLink': async (w) => ({ params: await member(w) }),
  'sso.read': () => ({}),
  'sso.set': ({ application }) => ({ body: ssoDraft(application.url) }),
  'sso.test': ({ application }) => ({ body: ssoDraft(application.url) }),
  'sso.setOnly': () => ({ body: { is_only: false } }),
  'sso.delete': () => ({}),
  'members.delete': async (w) => ({ params: await member(w) }),
  'projectConfig.read': () => ({}),
  'projectConfig.update': () => ({
    body: {
      display_name: 'Acme',
      logo_url: 'https://acme.example/logo.png',
      signed_url_file_expiry_in_seconds: 600,
    },
  }),
  'session.info': () => ({}),
  'migration.getNanoid': async ({ own }) => ({
    query: {
      uuid: (await own.call(readAuthConfig, { params: { nanoid: own.authConfig } })).body.uuid,
      type: 'AUTH_CONFIG',
    },
  }),
  'projects.exportSecrets': ({ own }) => ({
    params: { nano_id: own.project },
    body: { passphrase: 'a passphrase with many words', cursor: null },
  }),
  'projects.export': () => ({ body: { limit: 5, cursor: null } }),
  'users.list': () => ({ query: { search: 'user', limit: 10 } }),
  'users.show': async (w) => {
    await executed(w)
    return { params: { user_id: 'user-1' } }
  },
  'users.export': () => ({ params: { user_id: 'user-1' }, body: { limit: 5 } }),
  'users.delete': async (w) => {
    const user = `user-${unique()}`
    await w.own.call(createSession, { body: { user_id: user } })
    return { params: { user_id: user } }
  },
  'playground.readModel': () => ({}),
  'playground.setModel': (w) => ({ body: languageModel(w) }),
  'playground.deleteModel': () => ({}),
  'playground.chat': async (w) => {
    await w.own.call(setModel, { body: languageModel(w) })
    return {
      body: {
        messages: [{ role: 'user', content: 'What time is it?' }],
        tools: [
          { type: 'function', function: { name: 'TIME', description: 'Tells the time.', parameters: {} } },
        ],
      },
    }
  },
  'system.read': () => ({}),
}
