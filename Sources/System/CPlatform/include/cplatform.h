#pragma once
// Calls that Swift's Glibc module does not import.
int tributary_rename_noreplace(const char *from, const char *to);
