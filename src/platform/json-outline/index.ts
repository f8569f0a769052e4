export { outlineInThread, outlineRequestInThread } from './outline-thread.ts'
export type { RequestOutline } from './request-outline.ts'
export { parseAllMembers, parseCheckedMembers } from './parse-members.ts'
export { defineMember, isPartlyUnparsed, objectFromOutline, unparsedMember } from './unparsed-object.ts'
