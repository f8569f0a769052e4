export { outlineInThread, outlineRequestInThread } from './outline-thread.ts'
export { parseAllMembers, parseCheckedMembers } from './parse-members.ts'
export { isPartlyUnparsed, objectFromOutline, unparsedMember } from './unparsed-object.ts'
