import * as contract from '../../contract/members.ts'
import type { Api } from '../../platform/http/call.ts'
import { type Changer, type MemberDeps, memberService, presentMember } from './service.ts'
import { memberIdOf } from './principal.ts'

/** Operations on members, for keys of the organization, owners and administrators. */
export function memberRoutes(api: Api, deps: MemberDeps): void {
  const service = memberService(deps)
  const changerOf = ({ organizationId, keyId }: { organizationId: string; keyId: string }): Changer => ({
    organizationId,
    memberId: memberIdOf(keyId),
  })
  const presentLink = ({ url, expiresAt }: { url: string; expiresAt: Date }) => ({
    url,
    expires_at: expiresAt.toISOString(),
  })
  api.on(contract.listMembers, async ({ organizationId }) => ({
    items: (await service.list(organizationId)).map(presentMember),
  }))
  api.on(contract.inviteMember, async (call) => {
    const { member, link } = await service.invite(changerOf(call), call.body)
    return { member: presentMember(member), ...presentLink(link) }
  })
  api.on(contract.updateMember, async (call) =>
    presentMember(await service.update(changerOf(call), call.params.member_id, call.body)),
  )
  api.on(contract.createMemberLink, async (call) =>
    presentLink(await service.createLink(changerOf(call), call.params.member_id)),
  )
  api.on(contract.deleteMember, async (call) => {
    await service.remove(changerOf(call), call.params.member_id)
    return { success: true }
  })
}
