import { Type } from '../schema-type.ts'
import { route } from '../route.ts'

export const createDemoProject = route({
  id: 'projects.createDemo',
  permission: { area: 'projects', level: 'write' },
  method: 'POST',
  path: '/org/owner/project/demo',
  summary: 'Create a demo project',
  description:
    'An extension of this server. Creates a project whose applications are simulated, and fills it with ' +
    'accounts, a week of executions, a policy, a pending approval, a trigger and a session. No request of ' +
    'the project reaches an application. An organization has one demo project; delete the project to ' +
    'remove all of it.',
  audience: 'organization',
  status: 201,
  otherStatus: { status: 200, when: 'The organization has a demo project. It is not changed.' },
  reply: Type.Object({
    id: Type.String({ description: 'Id of the project, `proj_…`.' }),
    name: Type.String({ description: 'Name of the project.' }),
  }),
  errors: ['Project_DemoUnavailable'],
})
