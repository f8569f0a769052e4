/**
 * Whether the mode of a file has one of these permissions. Windows has no modes: Node.js returns 666 there for every
 * file that this user can write, also where no other user can read it.
 */
export const hasPermission = (
  mode: number,
  permissions: number,
  platform: string = process.platform,
): boolean => platform !== 'win32' && (mode & permissions) !== 0
