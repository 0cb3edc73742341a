/* Lists as the BSDs have them (queue(3)), what glibc has of it: singly and doubly linked, with and without a pointer to the end.
   Written from the manual page; the bodies are ours. */
#ifndef __AXLE_SYS_QUEUE_H
#define __AXLE_SYS_QUEUE_H
#include <stddef.h>

/* Singly linked, by the head alone. */
#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { NULL }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_EMPTY(head) ((head)->slh_first == NULL)
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(elm, field) ((elm)->field.sle_next)
#define SLIST_INIT(head) do { SLIST_FIRST(head) = NULL; } while (0)
#define SLIST_INSERT_HEAD(head, elm, field) \
    do { SLIST_NEXT(elm, field) = SLIST_FIRST(head); SLIST_FIRST(head) = (elm); } while (0)
#define SLIST_INSERT_AFTER(at, elm, field) \
    do { SLIST_NEXT(elm, field) = SLIST_NEXT(at, field); SLIST_NEXT(at, field) = (elm); } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field); } while (0)
#define SLIST_REMOVE_AFTER(at, field) do { SLIST_NEXT(at, field) = SLIST_NEXT(SLIST_NEXT(at, field), field); } while (0)
#define SLIST_REMOVE(head, elm, type, field) \
    do { \
        if (SLIST_FIRST(head) == (elm)) { SLIST_REMOVE_HEAD(head, field); } \
        else { \
            struct type *__at = SLIST_FIRST(head); \
            while (SLIST_NEXT(__at, field) != (elm)) __at = SLIST_NEXT(__at, field); \
            SLIST_REMOVE_AFTER(__at, field); \
        } \
    } while (0)
#define SLIST_FOREACH(var, head, field) for ((var) = SLIST_FIRST(head); (var); (var) = SLIST_NEXT(var, field))

/* Singly linked, with the address of the last link. */
#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { NULL, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_EMPTY(head) ((head)->stqh_first == NULL)
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(elm, field) ((elm)->field.stqe_next)
#define STAILQ_INIT(head) do { STAILQ_FIRST(head) = NULL; (head)->stqh_last = &STAILQ_FIRST(head); } while (0)
#define STAILQ_INSERT_HEAD(head, elm, field) \
    do { \
        if ((STAILQ_NEXT(elm, field) = STAILQ_FIRST(head)) == NULL) (head)->stqh_last = &STAILQ_NEXT(elm, field); \
        STAILQ_FIRST(head) = (elm); \
    } while (0)
#define STAILQ_INSERT_TAIL(head, elm, field) \
    do { STAILQ_NEXT(elm, field) = NULL; *(head)->stqh_last = (elm); (head)->stqh_last = &STAILQ_NEXT(elm, field); } while (0)
#define STAILQ_INSERT_AFTER(head, at, elm, field) \
    do { \
        if ((STAILQ_NEXT(elm, field) = STAILQ_NEXT(at, field)) == NULL) (head)->stqh_last = &STAILQ_NEXT(elm, field); \
        STAILQ_NEXT(at, field) = (elm); \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
    do { \
        if ((STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field)) == NULL) (head)->stqh_last = &STAILQ_FIRST(head); \
    } while (0)
#define STAILQ_REMOVE_AFTER(head, at, field) \
    do { \
        if ((STAILQ_NEXT(at, field) = STAILQ_NEXT(STAILQ_NEXT(at, field), field)) == NULL) \
            (head)->stqh_last = &STAILQ_NEXT(at, field); \
    } while (0)
#define STAILQ_REMOVE(head, elm, type, field) \
    do { \
        if (STAILQ_FIRST(head) == (elm)) { STAILQ_REMOVE_HEAD(head, field); } \
        else { \
            struct type *__at = STAILQ_FIRST(head); \
            while (STAILQ_NEXT(__at, field) != (elm)) __at = STAILQ_NEXT(__at, field); \
            STAILQ_REMOVE_AFTER(head, __at, field); \
        } \
    } while (0)
#define STAILQ_CONCAT(head1, head2) \
    do { \
        if (!STAILQ_EMPTY(head2)) { \
            *(head1)->stqh_last = STAILQ_FIRST(head2); \
            (head1)->stqh_last = (head2)->stqh_last; \
            STAILQ_INIT(head2); \
        } \
    } while (0)
#define STAILQ_FOREACH(var, head, field) for ((var) = STAILQ_FIRST(head); (var); (var) = STAILQ_NEXT(var, field))

/* The same under its older name. */
#define SIMPLEQ_HEAD(name, type) struct name { struct type *sqh_first; struct type **sqh_last; }
#define SIMPLEQ_HEAD_INITIALIZER(head) { NULL, &(head).sqh_first }
#define SIMPLEQ_ENTRY(type) struct { struct type *sqe_next; }
#define SIMPLEQ_EMPTY(head) ((head)->sqh_first == NULL)
#define SIMPLEQ_FIRST(head) ((head)->sqh_first)
#define SIMPLEQ_NEXT(elm, field) ((elm)->field.sqe_next)
#define SIMPLEQ_INIT(head) do { SIMPLEQ_FIRST(head) = NULL; (head)->sqh_last = &SIMPLEQ_FIRST(head); } while (0)
#define SIMPLEQ_INSERT_HEAD(head, elm, field) \
    do { \
        if ((SIMPLEQ_NEXT(elm, field) = SIMPLEQ_FIRST(head)) == NULL) (head)->sqh_last = &SIMPLEQ_NEXT(elm, field); \
        SIMPLEQ_FIRST(head) = (elm); \
    } while (0)
#define SIMPLEQ_INSERT_TAIL(head, elm, field) \
    do { SIMPLEQ_NEXT(elm, field) = NULL; *(head)->sqh_last = (elm); (head)->sqh_last = &SIMPLEQ_NEXT(elm, field); } while (0)
#define SIMPLEQ_REMOVE_HEAD(head, field) \
    do { \
        if ((SIMPLEQ_FIRST(head) = SIMPLEQ_NEXT(SIMPLEQ_FIRST(head), field)) == NULL) (head)->sqh_last = &SIMPLEQ_FIRST(head); \
    } while (0)
#define SIMPLEQ_FOREACH(var, head, field) for ((var) = SIMPLEQ_FIRST(head); (var); (var) = SIMPLEQ_NEXT(var, field))

/* Doubly linked, by the head alone: an element knows the link that leads to it. */
#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { NULL }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_EMPTY(head) ((head)->lh_first == NULL)
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(elm, field) ((elm)->field.le_next)
#define LIST_INIT(head) do { LIST_FIRST(head) = NULL; } while (0)
#define LIST_INSERT_HEAD(head, elm, field) \
    do { \
        if ((LIST_NEXT(elm, field) = LIST_FIRST(head)) != NULL) LIST_FIRST(head)->field.le_prev = &LIST_NEXT(elm, field); \
        LIST_FIRST(head) = (elm); \
        (elm)->field.le_prev = &LIST_FIRST(head); \
    } while (0)
#define LIST_INSERT_AFTER(at, elm, field) \
    do { \
        if ((LIST_NEXT(elm, field) = LIST_NEXT(at, field)) != NULL) \
            LIST_NEXT(at, field)->field.le_prev = &LIST_NEXT(elm, field); \
        LIST_NEXT(at, field) = (elm); \
        (elm)->field.le_prev = &LIST_NEXT(at, field); \
    } while (0)
#define LIST_INSERT_BEFORE(at, elm, field) \
    do { \
        (elm)->field.le_prev = (at)->field.le_prev; \
        LIST_NEXT(elm, field) = (at); \
        *(at)->field.le_prev = (elm); \
        (at)->field.le_prev = &LIST_NEXT(elm, field); \
    } while (0)
#define LIST_REMOVE(elm, field) \
    do { \
        if (LIST_NEXT(elm, field) != NULL) LIST_NEXT(elm, field)->field.le_prev = (elm)->field.le_prev; \
        *(elm)->field.le_prev = LIST_NEXT(elm, field); \
    } while (0)
#define LIST_FOREACH(var, head, field) for ((var) = LIST_FIRST(head); (var); (var) = LIST_NEXT(var, field))

/* Doubly linked, with the address of the last link. The last element is found as glibc finds it: a head and an entry are two
   pointers each, so the head of the list that a link belongs to is read through the link before. */
#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { NULL, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_EMPTY(head) ((head)->tqh_first == NULL)
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_END(head) NULL
#define TAILQ_NEXT(elm, field) ((elm)->field.tqe_next)
#define TAILQ_LAST(head, headname) (*(((struct headname *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(elm, headname, field) (*(((struct headname *)((elm)->field.tqe_prev))->tqh_last))
#define TAILQ_INIT(head) do { TAILQ_FIRST(head) = NULL; (head)->tqh_last = &TAILQ_FIRST(head); } while (0)
#define TAILQ_INSERT_HEAD(head, elm, field) \
    do { \
        if ((TAILQ_NEXT(elm, field) = TAILQ_FIRST(head)) != NULL) TAILQ_FIRST(head)->field.tqe_prev = &TAILQ_NEXT(elm, field); \
        else (head)->tqh_last = &TAILQ_NEXT(elm, field); \
        TAILQ_FIRST(head) = (elm); \
        (elm)->field.tqe_prev = &TAILQ_FIRST(head); \
    } while (0)
#define TAILQ_INSERT_TAIL(head, elm, field) \
    do { \
        TAILQ_NEXT(elm, field) = NULL; \
        (elm)->field.tqe_prev = (head)->tqh_last; \
        *(head)->tqh_last = (elm); \
        (head)->tqh_last = &TAILQ_NEXT(elm, field); \
    } while (0)
#define TAILQ_INSERT_AFTER(head, at, elm, field) \
    do { \
        if ((TAILQ_NEXT(elm, field) = TAILQ_NEXT(at, field)) != NULL) \
            TAILQ_NEXT(elm, field)->field.tqe_prev = &TAILQ_NEXT(elm, field); \
        else (head)->tqh_last = &TAILQ_NEXT(elm, field); \
        TAILQ_NEXT(at, field) = (elm); \
        (elm)->field.tqe_prev = &TAILQ_NEXT(at, field); \
    } while (0)
#define TAILQ_INSERT_BEFORE(at, elm, field) \
    do { \
        (elm)->field.tqe_prev = (at)->field.tqe_prev; \
        TAILQ_NEXT(elm, field) = (at); \
        *(at)->field.tqe_prev = (elm); \
        (at)->field.tqe_prev = &TAILQ_NEXT(elm, field); \
    } while (0)
#define TAILQ_REMOVE(head, elm, field) \
    do { \
        if (TAILQ_NEXT(elm, field) != NULL) TAILQ_NEXT(elm, field)->field.tqe_prev = (elm)->field.tqe_prev; \
        else (head)->tqh_last = (elm)->field.tqe_prev; \
        *(elm)->field.tqe_prev = TAILQ_NEXT(elm, field); \
    } while (0)
#define TAILQ_CONCAT(head1, head2, field) \
    do { \
        if (!TAILQ_EMPTY(head2)) { \
            *(head1)->tqh_last = TAILQ_FIRST(head2); \
            TAILQ_FIRST(head2)->field.tqe_prev = (head1)->tqh_last; \
            (head1)->tqh_last = (head2)->tqh_last; \
            TAILQ_INIT(head2); \
        } \
    } while (0)
#define TAILQ_FOREACH(var, head, field) for ((var) = TAILQ_FIRST(head); (var); (var) = TAILQ_NEXT(var, field))
#define TAILQ_FOREACH_REVERSE(var, head, headname, field) \
    for ((var) = TAILQ_LAST(head, headname); (var); (var) = TAILQ_PREV(var, headname, field))

#endif
