import { ApiError } from '../../platform/http/api-error.ts'
import { StorageError } from '../../platform/storage/index.ts'

/** What the store cannot do is trouble of this server, told without its details. */
export async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageError)
      throw new ApiError(
        'File_StorageUnavailable',
        'The files of this server cannot be reached at the moment.',
        { cause: error },
      )
    throw error
  }
}
