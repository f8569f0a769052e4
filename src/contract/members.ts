import { type Static, Type } from './schema-type.ts'
import { Described, Enum, exampleId, Id, Name, Nullable, Timestamp } from './common.ts'
import { route } from './route.ts'

// An extension of this server.
export const PROJECT_ROLES = ['developer', 'operator', 'viewer'] as const
export type ProjectRole = (typeof PROJECT_ROLES)[number]
export const ORGANIZATION_ROLES = ['owner', 'admin', 'member'] as const

const ROLE_TEXT =
  '`owner` and `admin` may use every project and manage members; only an owner may change owners. `member`: see ' +
  '`projects`.'
const MEMBERS_PROJECTS_MAX = 1_000

const ProjectAccess = Type.Object({
  project_id: Described(Id('proj', 'pr'), 'Id of the project, `proj_…`.'),
  role: Enum(PROJECT_ROLES, {
    description:
      '`developer`: tools, toolkits, accounts, sessions and triggers. `operator`: accounts and approvals. ' +
      '`viewer`: read only.',
  }),
})
const Projects = Type.Array(ProjectAccess, {
  maxItems: MEMBERS_PROJECTS_MAX,
  description: 'Roles in projects, for the role `member`.',
})
const Role = Enum(ORGANIZATION_ROLES, { description: ROLE_TEXT })
const Email = Type.String({
  format: 'email',
  maxLength: 254,
  examples: ['grace@example.com'],
  description: 'E-mail address, with which the member signs in.',
})

export const Member = Type.Object(
  {
    id: Type.String({ description: 'Id of the member, `mbr_…`.' }),
    email: Email,
    name: Type.String({ description: 'Name of the member.' }),
    role: Role,
    projects: Projects,
    status: Enum(['invited', 'active'], {
      description: '`invited` until the member has set a password, or signed in at the identity provider.',
    }),
    has_second_factor: Type.Boolean({ description: 'Whether a code is needed in addition to the password.' }),
    last_sign_in_at: Nullable(Described(Timestamp, 'Last sign-in; null for never.'), {
      description: 'Last sign-in; null for never.',
    }),
    created_at: Described(Timestamp, 'When the member was invited.'),
  },
  { $id: 'Member' },
)
export type Member = Static<typeof Member>

const MemberId = Type.Object({ member_id: Described(Id('mbr'), 'Id of the member, `mbr_…`.') })
const example = { params: { member_id: exampleId('mbr') }, needs: 'a member' }
const Link = {
  url: Type.String({ description: 'One-time link with which the member sets a password. Shown only once.' }),
  expires_at: Described(Timestamp, 'Until when the link can be used.'),
}

export const listMembers = route({
  id: 'members.list',
  method: 'GET',
  path: '/org/members',
  summary: 'List members',
  description:
    'An extension of this server. Returns the people who may sign in to the console, by e-mail address, with their ' +
    'roles.',
  audience: 'organization',
  reply: Type.Object({ items: Type.Array(Member, { description: 'Members of the organization.' }) }),
})

export const inviteMember = route({
  id: 'members.invite',
  method: 'POST',
  path: '/org/members/invites',
  summary: 'Invite a member',
  description:
    'An extension of this server. Creates a member and a one-time link, valid for seven days, with which the ' +
    'person sets a password. The server sends no e-mail: pass the link on over a channel that only this person ' +
    'reads.',
  example: { body: { email: 'grace@example.com', name: 'Grace Hopper', role: 'admin' } },
  audience: 'organization',
  body: Type.Object({
    email: Email,
    name: Described(Name, 'Name of the member.'),
    role: Role,
    projects: Type.Optional(Projects),
  }),
  status: 201,
  reply: Type.Object({ member: Described(Member, 'The new member.'), ...Link }),
  errors: ['Member_EmailTaken', 'Member_OwnerOnly', 'Project_NotFound'],
})

export const updateMember = route({
  id: 'members.update',
  method: 'PATCH',
  path: '/org/members/:member_id',
  summary: 'Change the roles of a member',
  description:
    'An extension of this server. Changes what the body contains; `projects` replaces all roles in projects. The ' +
    'change applies to the next request of the member. The last owner stays an owner.',
  example: { ...example, body: { role: 'admin' } },
  audience: 'organization',
  params: MemberId,
  body: Type.Object({
    name: Type.Optional(Described(Name, 'Name of the member.')),
    role: Type.Optional(Role),
    projects: Type.Optional(Projects),
  }),
  reply: Member,
  errors: ['Member_NotFound', 'Member_OwnerOnly', 'Member_LastOwner', 'Project_NotFound'],
})

export const createMemberLink = route({
  id: 'members.createLink',
  method: 'POST',
  path: '/org/members/:member_id/link',
  summary: 'Create a new password link for a member',
  description:
    'An extension of this server. Returns a one-time link with which the member sets a new password. Earlier links ' +
    'of the member stop working. When it is used, the sessions of the member end.',
  example,
  audience: 'organization',
  params: MemberId,
  status: 201,
  reply: Type.Object(Link),
  errors: ['Member_NotFound', 'Member_OwnerOnly'],
})

export const deleteMember = route({
  id: 'members.delete',
  method: 'DELETE',
  path: '/org/members/:member_id',
  summary: 'Remove a member',
  description:
    'An extension of this server. Removes a member and ends the sessions of this person at once. The last owner ' +
    'cannot be removed.',
  example,
  audience: 'organization',
  params: MemberId,
  reply: Type.Object({ success: Type.Boolean({ description: 'Always true.' }) }),
  errors: ['Member_NotFound', 'Member_OwnerOnly', 'Member_LastOwner'],
})
