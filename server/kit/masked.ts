/** SQL of a phone with its middle hidden; `whole` for who may read phones. */
export const phoneText = (column: string, whole: boolean): string =>
  whole
    ? column
    : `CASE WHEN ${column} = '' THEN '' WHEN length(${column}) > 7 THEN overlay(${column} placing '****' from 4 for 4) ELSE '****' END`
