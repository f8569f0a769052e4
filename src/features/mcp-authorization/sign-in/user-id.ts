export const USER_ID_CHARACTERS_MAX = 256

/** Whether a text can be the id of a user. */
export const isValidUserId = (user: string): boolean =>
  user !== '' && user.length <= USER_ID_CHARACTERS_MAX && !user.includes('\0') && user.isWellFormed()
