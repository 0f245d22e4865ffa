/** Past its time and not closed; on the table alias `a`. */
export const OVERDUE = '(a.correction_status IN (1, 2) AND a.due_at < :now)'
